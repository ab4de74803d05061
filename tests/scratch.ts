// What a run leaves on the machine while it lasts: folders under .tmp/ or in memory whose names bear the run's
// process, the PostgreSQL servers in them, and server processes. They go at the end, at Ctrl-C or SIGTERM
// too; what a run that was killed left goes when the next one starts.
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isPostmasterOf, readPidFile } from "#server/db/postgres-process.ts";

const tmp = join(import.meta.dirname, "..", ".tmp");
/** Linux's file system in memory. */
const shared = "/dev/shm";
/** Others have folders there too: a run's begin so. */
const mark = "ma-carte-";
/** Room that a run may take there; the template and the clones of two workers take 200 MB. */
const memoryBytes = 2 * 1024 ** 3;
const scratchName = /^[a-z]+-(\d+)-/;
const sharedName = new RegExp(`^${mark}[a-z]+-(\\d+)-`);
const serverName = /^server-\d+-(\d+)$/;

/** A new folder under .tmp/ that belongs to this process; its PostgreSQL is stopped when it goes. */
export async function scratchFolder(purpose: string): Promise<string> {
  await mkdir(tmp, { recursive: true });
  return await mkdtemp(join(tmp, `${purpose}-${process.pid}-`));
}

/**
 * The same in memory where there is room: each clone of the template is a thousand files, made and removed again,
 * which costs a file system on disk more than most tests do.
 */
export async function fastFolder(purpose: string): Promise<string> {
  if (!(await hasMemory())) return await scratchFolder(purpose);
  return await mkdtemp(join(shared, `${mark}${purpose}-${process.pid}-`));
}

/** Whether the machine has a file system in memory with room for a run. */
export async function hasMemory(): Promise<boolean> {
  const found = await statfs(shared).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize >= memoryBytes;
}

/** Notes a server process that this run started; answers what forgets it, once it has ended. */
export async function noteServer(pid: number): Promise<() => Promise<void>> {
  const note = join(tmp, `server-${process.pid}-${pid}`);
  await mkdir(tmp, { recursive: true });
  await writeFile(note, "");
  return () => rm(note, { force: true });
}

/**
 * Removes what finished runs left, of other checkouts too where it lies in memory, and what the run of
 * `endingPid` left, a process that is about to end.
 */
export async function sweep(endingPid?: number): Promise<void> {
  const found = await Promise.all(
    [
      { folder: tmp, form: scratchName },
      { folder: shared, form: sharedName },
    ].map(async ({ folder, form }) => {
      const names = await readdir(folder).catch((): string[] => []);
      const over = names.filter((name) => isOver(Number(form.exec(name)?.[1]), endingPid));
      return over.map((name) => ({ folder, name }));
    }),
  );
  const left = found.flat();
  // A server would start its database again: servers first.
  for (const { name } of left) {
    const pid = Number(serverName.exec(name)?.[1]);
    if (pid && isServer(pid)) process.kill(pid, "SIGKILL");
  }
  for (const { folder, name } of left) await removeData(join(folder, name));
}

/**
 * Whether the process of a name has ended, or is about to; a name without a process number belongs to nobody
 * here.
 */
function isOver(owner: number, endingPid?: number): boolean {
  return owner > 0 && (owner === endingPid || !isAlive(owner));
}

/** Removes a folder, the PostgreSQL servers in it stopped first, a file system mounted in it let go. */
export async function removeData(folder: string): Promise<void> {
  for (const data of await dataFoldersIn(folder)) {
    const pid = (await readPidFile(data))?.pid;
    if (pid && (await isPostmasterOf(data, pid))) process.kill(pid, "SIGQUIT");
  }
  const inside = await readdir(folder).catch((): string[] => []);
  if (inside.includes("small"))
    spawnSync("umount", ["--lazy", join(folder, "small")], { stdio: "ignore" });
  // Another run that starts now removes it too: whoever is second finds it half gone.
  const removed = rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  await removed.catch(() => {});
}

/** Data folders of PostgreSQL at most three folders down. */
async function dataFoldersIn(folder: string, depth = 3): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some(({ name }) => name === "postmaster.pid")) return [folder];
  if (depth === 0) return [];
  const inside = entries.filter((entry) => entry.isDirectory());
  return (
    await Promise.all(inside.map(({ name }) => dataFoldersIn(join(folder, name), depth - 1)))
  ).flat();
}

/** From now on Ctrl-C and SIGTERM remove all that this process has made, then end it. */
export function sweepOnSignal(): void {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    // Before the listeners of others, which end the process. In a process apart, while this one stands
    // still: its watch over a database (server/db/embedded.ts) would start it again.
    process.prependListener(signal, () => {
      const sweeper = [import.meta.filename, String(process.pid)];
      spawnSync(process.execPath, sweeper, { stdio: "inherit" });
      process.exit(code);
    });
  }
}

function isServer(pid: number): boolean {
  if (!isAlive(pid)) return false;
  const { stdout } = spawnSync("ps", ["-p", String(pid), "-o", "args="], { encoding: "utf8" });
  return /server\/process\/main\.ts|npm start|patroni|etcd|haproxy|pgbouncer/.test(stdout);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) {
  // A second Ctrl-C must not stop the removal.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  await sweep(Number(process.argv[2]));
}
