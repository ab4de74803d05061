// A server of one's own in a test: the real process, started, watched, stopped or killed.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isPostmasterOf, readPidFile } from "#server/db/postgres-process.ts";
import { freePort } from "./free-port.ts";
import { noteServer } from "./scratch.ts";

/** The root key of every test: processes and databases of a run share it. */
export const testRootKey = Buffer.alloc(32, "test root key").toString("base64url");

const root = join(import.meta.dirname, "..");
const running = new Set<ChildProcess>();

export interface Settings {
  dataDir: string;
  port?: number;
  env?: Record<string, string>;
  /** Through npm, as the README says, instead of node alone. */
  npm?: boolean;
  /** From its modules instead of the bundle: for what looks into one of them. */
  sources?: boolean;
}

export interface Started {
  child: ChildProcess;
  port: number;
  address: string;
  /** Both outputs so far. */
  said: () => string;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts a server on a free port; it may not answer yet (`ready`). */
export async function launchServer(settings: Settings): Promise<Started> {
  const { dataDir, env = {}, npm = false, sources = false } = settings;
  const port = settings.port ?? (await freePort());
  const clean = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$)/.test(name));
  const child = spawn(
    npm ? "npm" : process.execPath,
    // The same bound of memory as `npm start` (docs/running.md).
    npm
      ? ["start"]
      : ["--max-semi-space-size=8", "server/process/main.mjs", ...(sources ? ["--sources"] : [])],
    {
      cwd: root,
      env: {
        ...Object.fromEntries(clean),
        DATA_DIR: dataDir,
        PORT: String(port),
        LOG_LEVEL: "warn",
        ROOT_KEY: testRootKey,
        // One person does here in a second what many do in a day.
        WRITES_PER_MINUTE: "1000000",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  running.add(child);
  const forget = child.pid === undefined ? async () => {} : await noteServer(child.pid);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("close", (code, signal) => {
      running.delete(child);
      void forget().then(() => resolve({ code, signal }));
    });
  });
  return { child, port, address: `http://localhost:${port}`, said: () => text, exit };
}

/** Waits for the line that says where the portal answers; fails with what was said instead. */
export async function ready(started: Started): Promise<Started> {
  for (let waitedMs = 0; waitedMs < 240_000; waitedMs += 10) {
    if (started.said().includes("Ma carte répond sur")) return started;
    if (started.child.exitCode !== null || started.child.signalCode !== null) break;
    await sleep(10);
  }
  throw new Error(`the server did not start: ${started.said()}`);
}

/** Status of /api/health, 0 when nobody answers. */
export const status = (address: string) =>
  fetch(`${address}/api/health`, { signal: AbortSignal.timeout(3000) }).then(
    (answer) => answer.status,
    () => 0,
  );

export async function untilStatus(
  address: string,
  expected: number,
  withinMs = 180_000,
): Promise<void> {
  const startedAt = performance.now();
  while ((await status(address)) !== expected) {
    if (performance.now() - startedAt > withinMs) throw new Error(`no ${expected} from ${address}`);
    await sleep(10);
  }
}

/** Sends the signal and waits for the end; gives the exit code. */
export async function stop(
  started: Started,
  signal: NodeJS.Signals = "SIGTERM",
): Promise<number | null> {
  started.child.kill(signal);
  return (await started.exit).code;
}

/** The number of the process that the embedded database's pid file names, 0 without one. */
export const postmasterOf = async (dataDir: string) =>
  (await readPidFile(join(dataDir, "postgres")))?.pid ?? 0;
export const isPostmasterUp = async (dataDir: string) =>
  isPostmasterOf(join(dataDir, "postgres"), await postmasterOf(dataDir));

/** The child processes of this very thread that run a file (Linux): other tests have their own. */
export const childrenRunning = (file: string): number[] =>
  readFileSync("/proc/thread-self/children", "utf8")
    .split(" ")
    .filter((pid) => pid !== "" && commandOf(pid).includes(file))
    .map(Number);

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};

/** Ends whatever server a failed test left. */
export function killServers(): void {
  for (const child of running) child.kill("SIGKILL");
}
