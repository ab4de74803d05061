// Background jobs, queued in PostgreSQL by graphile-worker and enqueued in the transaction that needs
// them. A job may run twice after a crash: each task is idempotent.
import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger, Runner, TaskList, WorkerEvents } from "graphile-worker";
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import { Pool } from "pg";
import { namedUrl } from "#server/db/named-url.ts";
import { rooms } from "#server/rooms.ts";
import { sealHistory } from "#server/ledger/ledger.ts";
import type { Deps, Enqueue } from "./deps.ts";
import type { Task } from "./room.ts";

const atOnce = 4;
const pollMs = 2_000;
const poolSize = 4;
const unlockEveryMs = 10_000;
const sealEveryMs = 5_000;
/** Every so many sealings, one reads the rows of long transactions too. */
const sealAllEvery = 12;
const restartMs = 2_000;
/** How long the completions under way may take once the last job of a worker has ended. */
const lastCompletionsMs = 2_000;

/** Every task of every room; names are unique. */
const tasksOf = (deps: Deps): Readonly<Record<string, Task>> =>
  Object.assign({}, ...rooms.map(({ tasks }) => tasks?.(deps)));

const routines = rooms.flatMap((room) => room.routines ?? []);

/** Makes `Enqueue`: the job exists when the caller's transaction commits, once per `key`. */
export function makeEnqueue(): Enqueue {
  return async (tx, task, payload, { runAt, key } = {}) => {
    await sql`select graphile_worker.add_job(
      ${task}, ${JSON.stringify(payload)}::json,
      run_at => ${runAt ?? null}::timestamptz, job_key => ${key ?? null}::text)`.execute(tx);
  };
}

export interface Jobs {
  /** Waits for the jobs under way, then takes no more. */
  stop(): Promise<void>;
}

/**
 * Starts working on jobs in this process: woken by NOTIFY, polling every 2 s as a fallback. Jobs locked by a
 * killed process are freed within 20 s: its connections are gone, and with them its name. When the runner
 * stops, because a job's completion could not be written or after a long outage, its jobs are unlocked and a
 * new one starts. The first start also waits for a database that is unavailable: the server answers already
 * by then.
 */
export async function startJobs(deps: Deps): Promise<Jobs> {
  const logWaiting = (error: unknown) =>
    deps.log.warn({ err: error }, "jobs wait for the database");
  let worker: Worker | undefined;
  const free = () => unlockDead(deps, worker?.name).catch(logWaiting);
  const begin = () =>
    startWorker(deps).catch((error: unknown) => {
      logWaiting(error);
      return undefined;
    });
  await free();
  worker = await begin();
  const ends = new AbortController();
  const working = (async () => {
    for (;;) {
      if (worker) {
        const { name, stop, ended } = worker;
        if (ends.signal.aborted) stop();
        await ended;
        worker = undefined;
        if (ends.signal.aborted) return;
        await unlock(deps, [name]).catch(logWaiting);
      }
      await sleep(restartMs, null, { signal: ends.signal }).catch(() => {});
      if (ends.signal.aborted) return;
      worker = await begin();
    }
  })();
  let seals = 0;
  const seal = () =>
    sealHistory(deps, seals++ % sealAllEvery === 0 ? "all" : "nearlyAll").catch((error: unknown) =>
      deps.log.error({ err: error }, "the history could not be sealed"),
    );
  const sealing = setInterval(() => void seal(), sealEveryMs).unref();
  const freeing = setInterval(() => void free(), unlockEveryMs).unref();
  return {
    async stop() {
      ends.abort();
      clearInterval(sealing);
      clearInterval(freeing);
      worker?.stop();
      await working;
      // Seals the rows of the last requests now instead of at the next start.
      await seal();
    },
  };
}

/** A runner with its own connections; `name` is their application name and the owner of its job locks. */
interface Worker {
  name: string;
  /** Takes no more jobs. */
  stop: () => void;
  /** Resolves once its last job has ended and its connections are closed, by `stop` or by a failure. */
  ended: Promise<void>;
}

async function startWorker(deps: Deps): Promise<Worker> {
  const name = `ma-carte-jobs-${randomBytes(6).toString("hex")}`;
  const pool = openPool(deps, name);
  const events = named(name);
  try {
    const runner = await startRunner(deps, pool, events);
    // It refuses to be stopped twice.
    const stop = () => void runner.stop().catch(() => {});
    const ended = endOf(deps, runner, events)
      .then(stop)
      .then(() => pool.end());
    return { name, stop, ended };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/**
 * Resolves once `runner` has ended, or a while after its last job has. The library miscounts when several
 * completions fail at the same time, and then waits for ever for those under way (`batch` in its `main.ts`,
 * https://github.com/graphile/worker/blob/main/src/main.ts).
 */
async function endOf({ log }: Deps, runner: Runner, events: WorkerEvents): Promise<void> {
  const idle = new Promise<void>((resolve) => {
    events.once("pool:gracefulShutdown:complete", () => resolve());
    events.once("pool:gracefulShutdown:error", () => resolve());
  });
  const logFailure = (error: unknown) => log.warn({ err: error }, "the worker of jobs failed");
  const over = new AbortController();
  await Promise.race([
    runner.promise.catch(logFailure),
    idle.then(() => sleep(lastCompletionsMs, null, { signal: over.signal })).catch(() => {}),
  ]);
  over.abort();
}

async function startRunner(deps: Deps, pool: Pool, events: WorkerEvents): Promise<Runner> {
  // Loaded now, when the first answers are given already: it loads a dozen libraries of its own.
  const { Logger, parseCronItems, run } = await import("graphile-worker");
  const logger = new Logger(() => logJobs(deps));
  return await run({
    pgPool: pool,
    taskList: taskListOf(deps),
    events,
    concurrency: atOnce,
    pollInterval: pollMs,
    noHandleSignals: true,
    logger,
    // Without batches the library does not await the statement that completes a job: its failure would be an
    // unhandled rejection, which ends the process. A failed batch stops the runner instead.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    parsedCronItems: parseCronItems(
      routines.map(({ task, cron }) => ({
        task,
        match: cron,
        options: { backfillPeriod: 0, jobKey: `routine:${task}` },
      })),
    ),
  });
}

function taskListOf(deps: Deps): TaskList {
  return Object.fromEntries(
    Object.entries(tasksOf(deps)).map(([name, task]) => [
      name,
      async (payload: unknown) => void (await task((payload ?? {}) as Record<string, unknown>)),
    ]),
  );
}

// A pool of its own: a flood of requests does not delay jobs, and the connections' name shows whether the
// worker that locked a job is still alive.
function openPool(deps: Deps, name: string): Pool {
  const pool = new Pool({
    connectionString: namedUrl(deps, name),
    max: poolSize,
    connectionTimeoutMillis: 5_000,
  });
  const logLost = (error: Error) => deps.log.warn({ err: error }, "a job connection was lost");
  pool.on("error", logLost);
  pool.on("connect", (client) => client.on("error", logLost));
  return pool;
}

// A worker signs its job locks with the id of its pool: here it is the name of its connections.
function named(name: string): WorkerEvents {
  const events = new EventEmitter() as WorkerEvents;
  events.on("pool:create", ({ workerPool }) => {
    workerPool.id = name;
  });
  return events;
}

/** Frees the jobs locked by workers that have no connection any more. */
async function unlockDead(deps: Deps, ownName = ""): Promise<void> {
  // Ten seconds of grace: a living worker may be reconnecting its listening connection.
  const { rows } = await sql<{ lockedBy: string }>`
    select distinct locked_by from graphile_worker.jobs
     where locked_by <> ${ownName} and locked_at < now() - interval '10 seconds'
       and not exists (select from pg_stat_activity
                        where application_name = locked_by)`.execute(deps.db);
  if (rows.length > 0)
    await unlock(
      deps,
      rows.map((row) => row.lockedBy),
    );
}

async function unlock({ db, log }: Deps, dead: string[]): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(${dead}::text[])`.execute(db);
  log.warn({ dead }, "jobs of dead workers unlocked");
}

function logJobs({ log }: Deps): ReturnType<ConstructorParameters<typeof Logger>[0]> {
  return (level, message) => {
    // The worker's own messages at info are one line per job: they belong to debug here.
    if (level === "error") log.error({ source: "jobs" }, message);
    else if (level === "warning") log.warn({ source: "jobs" }, message);
    else log.debug({ source: "jobs" }, message);
  };
}

interface DueJob {
  id: number;
  task: string;
  payload: Record<string, unknown>;
  attempts: number;
}

/**
 * Runs in this call every job that is due by the clock of `deps`, in order, including those that they
 * enqueue. A failed one waits for its next try and is only logged. For tests and the command line, where no
 * worker runs.
 */
export async function runJobsOnce(deps: Deps): Promise<void> {
  const tasks = tasksOf(deps);
  for (let job = await dueJob(deps); job; job = await dueJob(deps)) {
    try {
      const task = tasks[job.task];
      if (!task) throw new Error(`no task is called ${job.task}`);
      await task(job.payload);
      await sql`select graphile_worker.complete_jobs(${[job.id]}::bigint[])`.execute(deps.db);
    } catch (error) {
      deps.log.warn({ err: error, task: job.task }, "job failed");
      const again = new Date(deps.now().getTime() + 1000 * Math.exp(job.attempts + 1));
      await sql`select graphile_worker.reschedule_jobs(${[job.id]}::bigint[],
        run_at => ${again}::timestamptz, attempts => ${job.attempts + 1}::int)`.execute(deps.db);
    }
  }
}

// A job enqueued without a date is due at once, whatever the clock of `deps` says: it then bears the
// database's own time of its creation.
async function dueJob({ db, now }: Deps): Promise<DueJob | null> {
  return await query(db).maybeOne(sql<DueJob>`
    select job.id, task.identifier as task, job.payload, job.attempts
      from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
     where job.locked_at is null and job.attempts < job.max_attempts
       and (job.run_at <= ${now()}::timestamptz or (job.attempts = 0 and job.run_at = job.created_at))
     order by job.run_at, job.id limit 1`);
}
