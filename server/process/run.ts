// Starts the server: settings, port, database, migrations, demo scheme, routes, jobs. On SIGTERM or
// SIGINT it closes them in reverse order.
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { openLog } from "./log.ts";
import { type Config, loadConfig } from "./config.ts";
import { type Db, openDb } from "#server/db/db.ts";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { oneQuery } from "#server/db/one-query.ts";
import { listenWhileStarting, problemOfListening } from "./placeholder.ts";
import { drain, followRequests } from "./drain.ts";
import { StartProblem, exitCodes, oneLine } from "./start-problem.ts";

/** Ctrl-C in a terminal arrives twice, from the terminal and from npm: that is one signal. */
const sameSignalMs = 1000;
const longestStopMs = 15_000;
const jobsAfterMs = 100;

interface Closers {
  push(close: () => Promise<void>): void;
  /** Closes everything, last opened first; a failure does not keep the others open. */
  closeAll(): Promise<void>;
}

/**
 * Runs the server until a signal stops it: exit 0. A start that cannot succeed prints one French sentence on
 * the error output and exits with the StartProblem's code; nothing stays half open.
 */
export async function run(env: NodeJS.ProcessEnv): Promise<void> {
  const closers = makeClosers();
  const stopping = stopAtSignals(closers);
  try {
    await start(loadConfig(env), closers, stopping);
  } catch (error) {
    if (stopping.aborted) return;
    process.stderr.write(`${sentenceOf(error)}\n`);
    await closers.closeAll();
    process.exit(error instanceof StartProblem ? error.exitCode : 1);
  }
}

async function start(config: Config, closers: Closers, stopping: AbortSignal): Promise<void> {
  const log = openLog(config.logLevel);
  // The port first: if it is taken, nothing else is touched. Until the routes are ready it answers 503, which
  // clients understand, where a refused connection would look like an outage.
  const door = await listenWhileStarting(config);
  closers.push(() => door.close());
  const launched = Promise.withResolvers<void>();
  const opening = openDatabase(config, closers, log, launched.resolve);
  // The rooms and their libraries are loaded while the database starts; before it was launched, loading them
  // would delay it.
  const loading = Promise.race([launched.promise, opening]).then(() => loadRooms());
  loading.catch(() => {});
  const { url, ownerUrl } = await opening;
  const migrating = bringUpToDate(url, ownerUrl, log);
  migrating.catch(() => {});
  const primary = openDb(url, {
    max: config.poolSize,
    pooler: config.databaseDirectUrl !== null,
    onError: (error) => log.warn({ err: error }, "a database connection was lost"),
  });
  closers.push(() => primary.close());
  // Opens its first connection while the rooms are loaded.
  primary.pool.query("select").catch(() => {});
  const replica = await openReplica(config, closers, log);
  const { openPortal } = await loading;
  const database = { db: primary.db, pool: primary.pool, ...(replica ? { replica } : {}) };
  const { app, startJobs, demoCards } = await openPortal(
    { ...database, config, log },
    { migrating, stopping },
  );
  let starting: ReturnType<typeof startJobs> | undefined;
  closers.push(async () => {
    const jobs = await starting?.catch(() => undefined);
    await jobs?.stop();
  });
  await listen(app, config, () => door.close());
  closers.push(() => drain(app));
  process.stdout.write(`${welcome(config, demoCards)}\n`);
  // The queue's libraries take as long to load as a dozen answers: waiting requests come first.
  await sleep(jobsAfterMs, undefined, { signal: stopping });
  await (starting = startJobs());
}

/** Loads in parts: in between the event loop handles the database, which is ready long before they are. */
async function loadRooms(): Promise<typeof import("./open-portal.ts")> {
  await import("fastify");
  await nextTurn();
  await import("#server/http/serve.ts");
  await nextTurn();
  return await import("./open-portal.ts");
}

async function bringUpToDate(url: string, ownerUrl: string, log: Logger): Promise<void> {
  const { unknown } = await migrate(ownerUrl, {
    runtimeRole: decodeURIComponent(new URL(url).username),
  });
  if (unknown.length > 0)
    log.warn({ unknown }, "the database is newer than this server: it starts as version N-1");
}

async function listen(
  app: FastifyInstance,
  config: Config,
  closeDoor: () => Promise<void>,
): Promise<void> {
  followRequests(app);
  await app.ready();
  await closeDoor();
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    throw problemOfListening(error, config);
  }
}

// ---- the database

async function openDatabase(
  config: Config,
  closers: Closers,
  log: Logger,
  onLaunched: () => void,
): Promise<{ url: string; ownerUrl: string }> {
  if (config.databaseUrl !== null) {
    onLaunched();
    await reach(config.databaseUrl);
    const { databaseUrl: url, databaseDirectUrl, databaseOwnerUrl } = config;
    return { url, ownerUrl: databaseOwnerUrl ?? databaseDirectUrl ?? url };
  }
  const starting = startEmbedded({
    dataDir: config.dataDir,
    log: (message) => log.info(message),
    onLaunched,
  });
  // Registered with the closers before it has started, so that a signal in between leaves no orphan.
  closers.push(async () => {
    const embedded = await starting.catch(() => undefined);
    await embedded?.stop();
  });
  const embedded = await starting;
  if (embedded.adopted) log.info({ pid: embedded.pid }, "a running database was adopted");
  return { url: embedded.runtimeUrl, ownerUrl: embedded.url };
}

/**
 * A replica out of reach delays nothing: the primary serves its reads meanwhile. A database that is no
 * replica is a wrong setting.
 */
async function openReplica(config: Config, closers: Closers, log: Logger): Promise<Db | undefined> {
  const url = config.databaseReadUrl;
  if (url === null) return undefined;
  const rows = await oneQuery<{ standby: boolean }>(
    url,
    "select pg_is_in_recovery() as standby",
    [],
    5000,
  ).catch((error: unknown) => {
    log.warn({ err: error }, "the replica does not answer yet");
    return [];
  });
  if (rows[0]?.standby === false)
    throw new StartProblem(
      "La base de DATABASE_READ_URL n'est pas une réplique : elle accepte des écritures.",
      exitCodes.badSetting,
    );
  const replica = openDb(url, {
    max: config.poolSize,
    onError: (error) => log.warn({ err: error }, "a connection to the replica was lost"),
  });
  closers.push(() => replica.close());
  return replica.db;
}

/** Waits half a minute for a database that starts beside the server, or is busy; says so from 4 s on. */
async function reach(url: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const which = `La base de données de DATABASE_URL (${hostname}:${port || 5432}${pathname}) ne répond pas`;
  const late = setTimeout(
    () => process.stdout.write(`${which} encore : elle est attendue.\n`),
    4000,
  );
  try {
    await oneQuery(url, "select 1", [], 30_000);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw new StartProblem(
      `${which} : ${oneLine(message || code || "raison inconnue")}.`,
      exitCodes.unavailable,
      error,
    );
  } finally {
    clearTimeout(late);
  }
}

// ---- messages to the operator

function welcome(config: Config, demoCards: string): string {
  const where = `Ma carte répond sur ${config.publicUrl}`;
  if (config.demo) {
    return `${where} · ${demoCards} · messages gardés sur ${config.publicUrl}/demo/messages`;
  }
  if (config.databaseUrl !== null) return where;
  return `${where} · sans démonstration ni paiements fictifs (DEMO=1 les allume)`;
}

function sentenceOf(error: unknown): string {
  if (error instanceof StartProblem) return error.message;
  return `Le serveur n'a pas pu démarrer : ${error instanceof Error ? error.stack : String(error)}`;
}

// ---- signals

function makeClosers(): Closers {
  const open: (() => Promise<void>)[] = [];
  return {
    push: (close) => void open.push(close),
    async closeAll() {
      for (let close = open.pop(); close; close = open.pop())
        await close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    },
  };
}

/** The first signal closes all and exits 0; a later one, pressed again by a person, exits at once. */
function stopAtSignals(closers: Closers): AbortSignal {
  const controller = new AbortController();
  let firstAt = 0;
  const onSignal = () => {
    if (firstAt > 0) {
      if (Date.now() - firstAt > sameSignalMs) process.exit(1);
      return;
    }
    firstAt = Date.now();
    controller.abort();
    // A job or a connection that will not end must not keep the process from ending.
    setTimeout(() => process.exit(1), longestStopMs).unref();
    void closers.closeAll().finally(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  return controller.signal;
}
