// The embedded PostgreSQL: created once, started or adopted at each start, watched while the server runs,
// stopped when the last server stops. It refuses a data folder of another version and never removes data.
// PostgreSQL exits when its WAL disk is full or one of its processes is killed, so the watch below starts it
// again; the API answers 503 meanwhile.
import { existsSync } from "node:fs";
import { open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { release } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartProblem, exitCodes, oneLine } from "#server/process/start-problem.ts";
import { archiveSettings } from "./archive.ts";
import { type Cluster, type EmbeddedOptions, openCluster } from "./embedded-folder.ts";
import { oneQuery } from "./one-query.ts";
import {
  binaries,
  freePort,
  isPostmasterOf,
  type PidFile,
  processesIn,
  readPidFile,
  runProgram,
  spawnPostgres,
} from "./postgres-process.ts";
import { createEmbeddedRole, embeddedPassword, embeddedRole } from "./runtime-role.ts";

const database = "macarte";
const applicationName = "ma-carte";
const watchEveryMs = 250;
/** How long closed connections may still be counted on a busy machine. */
const leavingMs = 1000;
/** How long processes of a dead postmaster may take to exit: as long as a live one waits for its own. */
const leftoversMs = 5000;
const maxDelayMs = 2000;
const maxLogBytes = 10 * 1024 * 1024;

export interface Embedded {
  /** Connects as the database owner: for migrations, backups and the operator. */
  url: string;
  /** Connects as the role of the running server. */
  runtimeUrl: string;
  /** The process that answers now; it changes when the watch has to start it again. */
  readonly pid: number;
  /** Whether the database was found running, left by a server that was killed. */
  adopted: boolean;
  /** Stops the database, unless another server still uses it. */
  stop(): Promise<void>;
}

interface Running extends Address {
  pid: number;
  adopted: boolean;
}

interface Address {
  port: number;
  /** Folder of its Unix socket; "" where it has none. */
  socketFolder: string;
}

/**
 * Starts (or adopts, or recovers) the database under `dataDir` and watches it until `stop`.
 * Throws a StartProblem with one French sentence when it cannot
 * (server/db/README.md#the-embedded-database).
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const log = options.log ?? (() => {});
  const cluster = await openCluster(options, log);
  let running = await bringUp(cluster, undefined, options.onLaunched);
  await createDatabase(cluster, running);
  const first = running;
  const stopping = new AbortController();
  const pause = (ms: number) =>
    sleep(ms, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
  const watch = async () => {
    for (let delayMs = 100; ;) {
      await pause(watchEveryMs);
      if (stopping.signal.aborted) return;
      if (await isPostmasterOf(cluster.folder, running.pid)) {
        delayMs = 100;
        continue;
      }
      log("La base embarquée s'est arrêtée : elle est relancée.");
      try {
        running = await bringUp(cluster, first.port);
        log("La base embarquée répond de nouveau.");
      } catch (error) {
        log(`${(error as Error).message} Nouvel essai dans ${delayMs} ms.`);
        await pause(delayMs);
        delayMs = Math.min(delayMs * 2, maxDelayMs);
      }
    }
  };
  const watching = watch();
  return {
    url: urlOf(cluster, first, database),
    runtimeUrl: urlOf(cluster, first, database, {
      user: embeddedRole,
      password: embeddedPassword(cluster.password),
    }),
    get pid() {
      return running.pid;
    },
    adopted: first.adopted,
    async stop() {
      stopping.abort();
      await watching;
      await stopPostgres(cluster, running);
    },
  };
}

/** PostgreSQL's clients prefer the socket that `host` names: it costs both sides a third less than TCP. */
function urlOf(
  cluster: Cluster,
  { port, socketFolder }: Address,
  name: string,
  { user, password } = { user: "postgres", password: cluster.password },
): string {
  const url = `postgres://${user}:${password}@127.0.0.1:${port}/${name}?application_name=${applicationName}`;
  return socketFolder === "" ? url : `${url}&host=${encodeURIComponent(socketFolder)}`;
}

// Adopts a running database, waits for one that is stopping, clears stale files, starts it if needed.
async function bringUp(cluster: Cluster, port?: number, onLaunched = () => {}): Promise<Running> {
  for (let refusals = 0; ;) {
    const file = await readPidFile(cluster.folder);
    if (file && (await isPostmasterOf(cluster.folder, file.pid))) {
      if (file.status.startsWith("ready")) {
        if (await isOurs(cluster, file))
          return { ...addressIn(file), pid: file.pid, adopted: true };
        refusals += 1;
        if (refusals === 100) throw notOurs(cluster, file.pid);
      }
      await sleep(20);
      continue;
    }
    await clearLeftovers(cluster);
    const started = await startPostgres(cluster, port ?? (await freePort()), onLaunched);
    if (started) return started;
  }
}

const notOurs = (cluster: Cluster, pid: number) =>
  new StartProblem(
    `Un PostgreSQL (processus ${pid}) tient ${cluster.folder} mais refuse notre mot de passe : ` +
      "arrêtez-le, puis relancez.",
    exitCodes.unavailable,
  );

const addressIn = ({ port, socketFolder }: PidFile): Address => ({ port, socketFolder });

async function isOurs(cluster: Cluster, file: PidFile): Promise<boolean> {
  const url = urlOf(cluster, file, "postgres");
  const rows = await oneQuery<{ data_directory: string }>(url, "show data_directory").catch(
    () => [],
  );
  return resolve(rows[0]?.data_directory ?? "") === cluster.folder;
}

// After a kill -9 of the postmaster its children live for a moment, and its recorded pid may since be another
// program's, which PostgreSQL takes for a running server: then it would never start. A child that does not
// exit is killed, as a postmaster kills it: its uncommitted work is undone anyway.
async function clearLeftovers(cluster: Cluster): Promise<void> {
  const startedAt = performance.now();
  for (
    let left = processesIn(cluster.folder);
    left.length > 0;
    left = processesIn(cluster.folder)
  ) {
    if (performance.now() - startedAt > leftoversMs) for (const pid of left) killNow(pid);
    await sleep(20);
  }
  const file = await readPidFile(cluster.folder);
  if (file && (await isPostmasterOf(cluster.folder, file.pid))) return;
  const staleFile = /^(?:postmaster\.pid|\.s\.PGSQL\.\d+(?:\.lock)?)$/;
  for (const name of await readdir(cluster.folder))
    if (staleFile.test(name)) await rm(join(cluster.folder, name), { force: true });
}

function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just exited.
  }
}

async function startPostgres(
  cluster: Cluster,
  port: number,
  onLaunched: () => void,
): Promise<Running | undefined> {
  await rotateLog(cluster.logFile);
  const logStart = (await stat(cluster.logFile).catch(() => undefined))?.size ?? 0;
  const { postgres } = await binaries();
  const settings = Object.entries({
    ...fixedSettings,
    unix_socket_directories: socketFolderOf(cluster),
    ...archiveSettings(),
    ...cluster.settings,
    port: String(port),
  });
  const child = spawnPostgres(
    postgres,
    ["-D", cluster.folder, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    cluster.logFile,
  );
  onLaunched();
  let ended = false;
  child.once("exit", () => (ended = true));
  child.once("error", () => (ended = true));
  for (;;) {
    const file = await readPidFile(cluster.folder);
    if (file?.pid === child.pid && file?.status.startsWith("ready"))
      return { ...addressIn(file), pid: file.pid, adopted: false };
    if (ended) {
      // Another server was faster: the caller looks again and adopts its database.
      if (file && (await isPostmasterOf(cluster.folder, file.pid))) return undefined;
      throw await explain(cluster, logStart);
    }
    await sleep(10);
  }
}

const fixedSettings = {
  listen_addresses: "127.0.0.1",
  max_connections: "200",
  timezone: "UTC",
  lc_messages: "C",
  jit: "off",
  recovery_init_sync_method: syncsWholeDisk() ? "syncfs" : "fsync",
  // Refusals are ordinary here (a constraint is a problem's name) and their statements hold personal
  // data: the log keeps what concerns the server itself.
  log_min_messages: "log",
  log_checkpoints: "off",
};

/**
 * After a crash, one call that makes the whole file system safe instead of opening each of some 2,000
 * files. A Linux before 5.8 would not tell PostgreSQL of an error of the disk that way.
 */
function syncsWholeDisk(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return process.platform === "linux" && (major > 5 || (major === 5 && minor >= 8));
}

/** The cluster's own folder, which other users cannot enter; "" where its path is too long for a socket. */
function socketFolderOf({ folder }: Cluster): string {
  const longest = 100;
  const isPlain = /^[\w/.-]+$/.test(folder);
  const fits = Buffer.byteLength(join(folder, ".s.PGSQL.00000")) <= longest;
  return process.platform !== "win32" && isPlain && fits ? folder : "";
}

async function rotateLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size > maxLogBytes) await rename(logFile, `${logFile}.1`);
}

async function explain(cluster: Cluster, from: number): Promise<StartProblem> {
  const text = await readTail(cluster.logFile, from);
  const lines = text.split("\n").filter((line) => /FATAL|PANIC|could not|error/i.test(line));
  const reason = lines.at(-1)?.replace(/^.*?(FATAL|PANIC|LOG):\s*/, "") ?? "raison inconnue";
  const full = /No space left on device/.test(text);
  return new StartProblem(
    (full
      ? "La base embarquée ne démarre pas : le disque est plein"
      : `La base embarquée ne démarre pas : ${oneLine(reason)}`) +
      ` (journal : ${cluster.logFile}).`,
    exitCodes.unavailable,
  );
}

async function readTail(path: string, from: number): Promise<string> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return "";
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(Math.min(Math.max(size - from, 0), 64 * 1024)),
      position: from,
    });
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await file.close();
  }
}

/** Once created they stay: a later start knows it by a file, and saves a connection. */
async function createDatabase(cluster: Cluster, at: Address): Promise<void> {
  const made = join(cluster.folder, "ma-carte.created");
  if (existsSync(made)) return;
  const url = urlOf(cluster, at, "postgres");
  const found = await oneQuery<{ what: string }>(
    url,
    `select 'database' as what from pg_database where datname = $1
     union all select 'role' from pg_roles where rolname = $2`,
    [database, embeddedRole],
  );
  const is = new Set(found.map(({ what }) => what));
  if (!is.has("role")) await createOnce(url, createEmbeddedRole(cluster.password));
  if (!is.has("database")) await createOnce(url, `create database ${database}`);
  await writeFile(made, "");
}

async function createOnce(url: string, statement: string): Promise<void> {
  await oneQuery(url, statement).catch((error: { code?: string }) => {
    // Another server that starts at the same time was faster.
    if (!["42P04", "42710", "23505"].includes(error.code ?? "")) throw error;
  });
}

// Two servers may share one embedded database (another PORT, the same DATA_DIR): the last one that exits
// stops it. SIGINT is PostgreSQL's fast shutdown: transactions end, nothing is lost.
async function stopPostgres(cluster: Cluster, running: Running): Promise<void> {
  if (!(await isPostmasterOf(cluster.folder, running.pid))) return;
  if (await usedByOthers(cluster, running)) return;
  if (process.platform === "win32") {
    const { pg_ctl } = await binaries();
    await runProgram(pg_ctl, ["stop", "-D", cluster.folder, "-m", "fast", "-w"]);
    return;
  }
  process.kill(running.pid, "SIGINT");
  while (
    existsSync(join(cluster.folder, "postmaster.pid")) &&
    (await isPostmasterOf(cluster.folder, running.pid))
  )
    await sleep(10);
}

async function usedByOthers(cluster: Cluster, at: Address): Promise<boolean> {
  // Our own connections are closed by now, but PostgreSQL may still be ending them.
  for (let waitedMs = 0; waitedMs <= leavingMs; waitedMs += 50) {
    const rows = await oneQuery(
      urlOf(cluster, at, database),
      `select from pg_stat_activity
        where application_name like $1 || '%' and datname = $2 and pid <> pg_backend_pid() limit 1`,
      [applicationName, database],
      2000,
    ).catch(() => []);
    if (rows.length === 0) return false;
    await sleep(50);
  }
  return true;
}
