// The first start (scripts/start.mjs) in a folder of its own: what it prints, two of them at once, a registry that
// does not answer. npm is played by a script, but where it is npm that is asked.
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
let folder: string;
beforeEach(() => {
  folder = join(root, ".tmp", `start-${crypto.randomUUID()}`);
  for (const part of ["scripts", "server/process/bundle.mjs"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  write("package-lock.json", JSON.stringify({ packages: {} }));
  write("node_modules/.package-lock.json", JSON.stringify({ packages: {} }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Starts with an npm that does what `script` says; `args` are those of npm. */
function start(script: string) {
  write("npm.mjs", `import * as fs from "node:fs"; const args = process.argv.slice(2); ${script}`);
  const child = spawn(process.execPath, [join(folder, "scripts/start.mjs")], {
    cwd: folder,
    env: { ...process.env, npm_execpath: join(folder, "npm.mjs") },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { exit, printed: () => printed };
}

const loud =
  "for (let line = 0; line < 150; line++) console.log('chunk-' + line + ' 31.0 KB of 32');";

test("a build that succeeds is one step, whatever it prints", async () => {
  const { exit, printed } = start(loud);
  expect(await exit).toBe(0);
  expect(printed().trim().split("\n")).toEqual([
    "Construction de la partie web…",
    expect.stringMatching(/^Partie web construite en [\d.]+ s\.$/),
  ]);
});

test("a build that fails shows what it printed", async () => {
  const { exit, printed } = start(`${loud} process.exitCode = 1;`);
  expect(await exit).toBe(1);
  expect(printed()).toContain("chunk-149");
  expect(printed()).toContain("La construction de la partie web a échoué");
});

test("a second start waits for the install of the first, and has nothing left to install", async () => {
  const packages = { "node_modules/one": { version: "1.0.0" } };
  write("package-lock.json", JSON.stringify({ packages }));
  const install = `
    if (args[0] === "install") {
      fs.appendFileSync("installs", "x");
      while (!fs.existsSync("go")) await new Promise((done) => setTimeout(done, 20));
      fs.writeFileSync("node_modules/.package-lock.json", ${JSON.stringify(JSON.stringify({ packages }))});
    }`;
  const first = start(install);
  await expect.poll(() => existsSync(join(folder, "installs"))).toBe(true);
  const second = start(install);
  await expect
    .poll(second.printed)
    .toContain("Une autre installation est en cours dans ce dossier");
  write("go", "");
  expect(await Promise.all([first.exit, second.exit])).toEqual([0, 0]);
  expect(readFileSync(join(folder, "installs"), "utf8")).toBe("x");
  expect(second.printed()).not.toContain("Node");
  expect(existsSync(join(folder, ".tmp/start.lock"))).toBe(false);
});

test("what a killed start left does not hold the next one", async () => {
  mkdirSync(join(folder, ".tmp"));
  write(".tmp/start.lock", "999999999");
  const { exit } = start("");
  expect(await exit).toBe(0);
});

/** What the first start says of a registry that has `timeoutMs` to answer: a sentence, or "null". */
async function registryAnswer(address: string, timeoutMs: number): Promise<string> {
  const options = { command: "npm", args: [`--registry=${address}`], timeoutMs };
  const script = `
    import { registryFault } from ${JSON.stringify(join(root, "scripts/registry.mjs"))};
    console.log(await registryFault(${JSON.stringify(options)}));`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script]);
  return stdout.trim();
}

test("a registry that takes connections and says nothing is told by its address", async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  try {
    expect(await registryAnswer(address, 300)).toMatch(/^Le registre npm.* ne répond pas/);
  } finally {
    silent.close();
  }
  expect(await registryAnswer(address, 300)).toContain(`(${address})`);
});

test("a registry that answers, be it that it knows no ping, is not told of", async () => {
  const mirror = createHttpServer((_, response) => response.writeHead(404).end("{}"));
  await new Promise<void>((resolve) => mirror.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = mirror.address() as AddressInfo;
    expect(await registryAnswer(`http://127.0.0.1:${port}`, 60_000)).toBe("null");
  } finally {
    mirror.close();
  }
});
