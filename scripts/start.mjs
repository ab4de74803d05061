// Prepares `npm start`, `npm test` and `npm run dev` on a machine that has only Node 20 and npm: installs
// dependencies (Node 24 and PostgreSQL among them) and builds the web part. Only built-ins here, and only
// what Node 20 understands.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { freshBundle } from "../server/process/bundle.mjs";
import { oneAtATime } from "./one-at-a-time.mjs";
import { registryFault } from "./registry.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stamp = join(root, "dist", ".stamp");
// Sources of the web build; a change of any other file needs no new build.
const webSources = ["web", "contract", "index.html", "vite.config.ts", "package-lock.json"];
const neededMajor = 24;
const lock = join(root, ".tmp", "start.lock");
/**
 * After this long, an install that still runs checks whether the registry answers; the check has the same
 * time-out.
 */
const registryCheckAfterMs = 20_000;
const registryTimeoutMs = 10_000;

process.chdir(root);
try {
  await oneAtATime(lock, sayWaiting, prepare);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function prepare() {
  const production = process.argv.includes("--no-build");
  const hash = production ? "" : hashOf(webSources);
  const stale = !production && (!existsSync(stamp) || readFileSync(stamp, "utf8") !== hash);
  if (missingPackages({ development: stale || process.argv.includes("--development") })) {
    say("Installation des dépendances (une minute la première fois)…");
    // Not `npm ci`: it refuses a lock file that lacks other platforms' optional binaries, which the
    // registry that wrote it may not carry. Versions and integrity still come from the lock file.
    const timer = setTimeout(() => void tellRegistry(), registryCheckAfterMs);
    const seconds = await npm(["install", "--no-save", "--loglevel=error", "--no-progress"], {
      failed: "L'installation des dépendances a échoué : voyez le message ci-dessus.",
    }).finally(() => clearTimeout(timer));
    say(`Dépendances installées en ${seconds} s.`);
  }
  await checkNode();
  const serves = !production || process.argv.includes("--bundle");
  if (serves && existsSync(join("node_modules", "rolldown")) && !freshBundle(root)) {
    await npm(["run", "--silent", "bundle"], { failed: "", quiet: true }).then(
      (seconds) => say(`Serveur préparé en ${seconds} s.`),
      () => say("La préparation du serveur a échoué : il démarre de ses sources, plus lentement."),
    );
  }
  if (stale) {
    say("Construction de la partie web…");
    rmSync(stamp, { force: true });
    const seconds = await npm(["run", "--silent", "build"], {
      failed: "La construction de la partie web a échoué : voyez le message ci-dessus.",
      quiet: true,
    });
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, hash);
    say(`Partie web construite en ${seconds} s.`);
  }
}

function sayWaiting(holder) {
  const who = holder > 0 ? ` (processus ${holder})` : "";
  say(`Une autre installation est en cours dans ce dossier${who} : elle est attendue…`);
}

async function tellRegistry() {
  const fault = await registryFault({ ...npmCommand(), timeoutMs: registryTimeoutMs });
  if (fault) say(fault);
}

// Compares the lock file with npm's own record of what it installed. Optional packages are those of
// other platforms, but for the two that this one needs; development ones only matter to build.
function missingPackages({ development }) {
  const required = readPackages("package-lock.json");
  const present = readPackages(join("node_modules", ".package-lock.json"));
  if (!present) return true;
  return Object.entries(required ?? {}).some(([path, entry]) => {
    if (path === "" || entry.optional || entry.peer || entry.devOptional) return false;
    if (entry.dev && !development) return false;
    return present[path]?.version !== entry.version;
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

function hashOf(paths) {
  const hash = createHash("sha256");
  const visit = (path) => {
    if (!existsSync(path)) return;
    let names;
    try {
      names = readdirSync(path).sort();
    } catch {
      hash
        .update(relative(root, join(root, path)))
        .update("\0")
        .update(readFileSync(path));
      return;
    }
    // Tests are no part of the build: changing one must not cost a build at the next start.
    for (const name of names) if (!/\.test\.tsx?$/.test(name)) visit(join(path, name));
  };
  for (const path of paths) visit(path);
  return hash.digest("hex");
}

// npm brings Node 24 for Linux and Windows, first in PATH for scripts; Macs use their own.
async function checkNode() {
  const version = await output("node", ["--version"]);
  const major = Number(/^v(\d+)/.exec(version)?.[1]);
  if (major >= neededMajor) return;
  if (Number.isNaN(major)) {
    throw new Error(
      "Node ne démarre pas : l'installation des dépendances est incomplète. Supprimez le dossier " +
        "node_modules, puis recommencez.",
    );
  }
  throw new Error(
    process.platform === "darwin"
      ? `Sur Mac, il faut Node ${neededMajor} ou plus (ici ${version}) : installez-le depuis nodejs.org.`
      : `Il faut Node ${neededMajor} ou plus (ici ${version}), et npm n'en fournit pas pour ce système ` +
          `(${process.platform} ${process.arch}).`,
  );
}

function output(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, PATH: searchPath() },
      shell: process.platform === "win32",
    });
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    child.once("error", () => resolve("introuvable"));
    child.once("close", () => resolve(text.trim()));
  });
}

// Under npm the folder is in PATH already, but it may only exist since a moment ago.
function searchPath() {
  const separator = process.platform === "win32" ? ";" : ":";
  return `${join(root, "node_modules", ".bin")}${separator}${process.env.PATH ?? ""}`;
}

// The npm that started this script.
function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli ? { command: process.execPath, args: [cli] } : { command: "npm", args: [] };
}

// Runs npm; gives the seconds it took. It receives the signals sent to this process, so that stopping in the
// middle leaves no install or build running alone. Output of a `quiet` run is shown only when it failed.
function npm(npmArgs, { failed, quiet = false }) {
  const started = Date.now();
  const { command, args } = npmCommand();
  const child = spawn(command, [...args, ...npmArgs], {
    stdio: quiet ? ["inherit", "pipe", "pipe"] : "inherit",
    shell: args.length === 0 && process.platform === "win32",
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => printed.push(chunk));
  const pass = (signal) => child.kill(signal);
  process.on("SIGINT", pass);
  process.on("SIGTERM", pass);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      process.off("SIGINT", pass);
      process.off("SIGTERM", pass);
      if (signal || code === 130 || code === 143) process.exit(130);
      if (code !== 0) {
        process.stderr.write(Buffer.concat(printed));
        reject(new Error(failed));
      } else resolve(Math.round((Date.now() - started) / 100) / 10);
    });
  });
}

function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}
