// A server of one's own in a test: the real process, started, watched, stopped or killed.
import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, isPostmasterOf, readPidFile } from "#server/db/postgres-process.ts";

const root = join(import.meta.dirname, "..");
const running = new Set<ChildProcess>();

export interface Settings {
  dataDir: string;
  port?: number;
  env?: Record<string, string>;
  /** Through npm, as the README says, instead of node alone. */
  npm?: boolean;
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
  const { dataDir, env = {}, npm = false } = settings;
  const port = settings.port ?? (await freePort());
  const clean = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$)/.test(name));
  const child = spawn(npm ? "npm" : process.execPath, npm ? ["start"] : ["server/main.ts"], {
    cwd: root,
    env: {
      ...Object.fromEntries(clean),
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: "warn",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("close", (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  return { child, port, address: `http://localhost:${port}`, said: () => text, exit };
}

/** Waits for the line that says where the portal answers; fails with what was said instead. */
export async function ready(started: Started): Promise<Started> {
  for (let waitedMs = 0; waitedMs < 40_000; waitedMs += 10) {
    if (started.said().includes("Ma carte répond sur")) return started;
    if (started.child.exitCode !== null) break;
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
  wanted: number,
  withinMs = 20_000,
): Promise<void> {
  const startedAt = performance.now();
  while ((await status(address)) !== wanted) {
    if (performance.now() - startedAt > withinMs) throw new Error(`no ${wanted} from ${address}`);
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

/** Ends whatever server a failed test left. */
export function killServers(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Removes a data folder, its database stopped first. */
export async function removeData(dataDir: string): Promise<void> {
  const pid = await postmasterOf(dataDir);
  if (pid > 0 && (await isPostmasterUp(dataDir))) process.kill(pid, "SIGQUIT");
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
