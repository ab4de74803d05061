import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "kysely";
import { inTx } from "#server/db/db.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { runJobsOnce, startJobs } from "./jobs.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** The jobs that a test enqueued, without those that the schedule of a running worker adds. */
const waiting = async () => {
  const { rows } = await sql<{
    taskIdentifier: string;
    attempts: number;
    lockedBy: string | null;
  }>`
    select task.identifier as task_identifier, job.attempts, job.locked_by
      from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
     where not job.payload::jsonb ? '_cron'
     order by job.id`.execute(server.deps.db);
  return rows;
};
const enqueue = (when?: { runAt?: Date; key?: string }) =>
  inTx(server.deps.db, (tx) => server.deps.enqueue(tx, "sweep", {}, when));

test("a worker runs what is enqueued, at once, and stops cleanly", async () => {
  const jobs = await startJobs(server.deps);
  await enqueue();
  await expect.poll(waiting).toEqual([]);
  await jobs.stop();
  await enqueue();
  await sleep(300);
  expect(await waiting()).toHaveLength(1);
  await runJobsOnce(server.deps);
  expect(await waiting()).toEqual([]);
});

test("one key waits once; a job of later waits for its time by the server's clock", async () => {
  const later = new Date(server.clock.now().getTime() + 3_600_000);
  await enqueue({ runAt: later, key: "once" });
  await enqueue({ runAt: later, key: "once" });
  expect(await waiting()).toHaveLength(1);
  await runJobsOnce(server.deps);
  expect(await waiting()).toHaveLength(1);
  server.clock.advance(3_601_000);
  await runJobsOnce(server.deps);
  expect(await waiting()).toEqual([]);
});

// proves: jobs
test("an enqueued job of a failed transaction does not exist", async () => {
  const failing = inTx(server.deps.db, async (tx) => {
    await server.deps.enqueue(tx, "sweep", {});
    throw new Error("refused");
  });
  await expect(failing).rejects.toThrow("refused");
  expect(await waiting()).toEqual([]);
});

test("a job that fails waits for its next try and does not stop the others", async () => {
  await inTx(server.deps.db, async (tx) => {
    await server.deps.enqueue(tx, "nobody_knows", {});
    await server.deps.enqueue(tx, "sweep", {});
  });
  await runJobsOnce(server.deps);
  expect(await waiting()).toMatchObject([{ taskIdentifier: "nobody_knows", attempts: 1 }]);
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(
    server.deps.db,
  );
});

// proves: jobs
test("a job locked by a worker that was killed is freed at the next start, and runs", async () => {
  await enqueue();
  await sql`update graphile_worker._private_jobs
    set locked_by = 'pool-dead', locked_at = now() - interval '1 minute', attempts = 1`.execute(
    server.deps.db,
  );
  const jobs = await startJobs(server.deps);
  await expect.poll(waiting).toEqual([]);
  await jobs.stop();
});

test("a job locked by a worker that lives is left alone", async () => {
  const { pool } = server.deps;
  const alive = await pool.connect();
  await alive.query("set application_name = 'pool-alive'");
  await enqueue();
  await sql`update graphile_worker._private_jobs
    set locked_by = 'pool-alive', locked_at = now() - interval '1 minute', attempts = 1`.execute(
    server.deps.db,
  );
  const jobs = await startJobs(server.deps);
  await sleep(200);
  expect(await waiting()).toMatchObject([{ lockedBy: "pool-alive" }]);
  await jobs.stop();
  alive.release(true);
});

// proves: jobs
test("every connection cut: the worker comes back by itself and runs what waits", async () => {
  const jobs = await startJobs(server.deps);
  const { pool } = server.deps;
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'ma-carte-jobs%' and datname = current_database()`;
  for (let round = 0; round < 3; round++) {
    expect((await pool.query(cut)).rowCount).toBeGreaterThan(0);
    await enqueue();
    await expect.poll(waiting).toEqual([]);
  }
  await jobs.stop();
});

test("a database that takes no connection as jobs start: they run once it does", async () => {
  const { db } = server.owner;
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const limit = (connections: number) =>
    sql`alter database ${sql.id(rows[0]?.name ?? "")} connection limit ${sql.raw(`${connections}`)}`.execute(
      db,
    );
  await limit(0);
  const jobs = await startJobs(server.deps);
  await limit(-1);
  await enqueue();
  await expect.poll(waiting, { timeout: 10_000 }).toEqual([]);
  await jobs.stop();
});

async function refuseCompletions(): Promise<{ accept: () => Promise<unknown> }> {
  const { db } = server.owner;
  await sql`create function refuse_completion() returns trigger language plpgsql as
    $$ begin raise exception 'completion refused'; end $$`.execute(db);
  await sql`create trigger refuse_completion before delete on graphile_worker._private_jobs
    for each row execute function refuse_completion()`.execute(db);
  return { accept: () => sql`drop function refuse_completion cascade`.execute(db) };
}

test.each([1, 3, 12])(
  "completions that could not be written: the jobs run again, %i at once",
  async (count) => {
    const { accept } = await refuseCompletions();
    const jobs = await startJobs(server.deps);
    await inTx(server.deps.db, async (tx) => {
      for (let job = 0; job < count; job++) await server.deps.enqueue(tx, "sweep", {});
    });
    const attempts = async () => (await waiting()).map((job) => job.attempts);
    await expect
      .poll(async () => Math.max(...(await attempts())), { timeout: 30_000 })
      .toBeGreaterThan(1);
    expect(await attempts()).toHaveLength(count);
    await accept();
    await expect.poll(waiting, { timeout: 30_000 }).toEqual([]);
    await jobs.stop();
  },
);

test("a stop waits for the job under way, although the completions of others were refused", async () => {
  const { accept } = await refuseCompletions();
  const holder = await server.owner.pool.connect();
  await holder.query("begin; lock table session");
  const jobs = await startJobs(server.deps);
  await inTx(server.deps.db, async (tx) => {
    for (const task of ["sweep", "expire_tickets", "expire_tickets", "expire_tickets"])
      await server.deps.enqueue(tx, task, {});
  });
  const begun = async () => (await waiting()).filter((job) => job.attempts > 0).length;
  await expect.poll(begun).toBeGreaterThan(1);
  await sleep(500);
  let stopped = false;
  const stop = jobs.stop().then(() => (stopped = true));
  await sleep(500);
  expect(stopped).toBe(false);
  await holder.query("rollback");
  holder.release();
  await stop;
  await accept();
  await sql`select graphile_worker.force_unlock_workers(array(select locked_by from graphile_worker.jobs))`.execute(
    server.deps.db,
  );
  await runJobsOnce(server.deps);
  expect(await waiting()).toEqual([]);
});

test("sweep forgets old codes, counters and sessions, and keeps what still serves", async () => {
  const { db } = server.deps;
  const camille = await server.as("guardian");
  const old = await server.as("stranger");
  server.clock.advance(14 * 3_600_000);
  await enqueue();
  await runJobsOnce(server.deps);
  const count = async () => (await db.selectFrom("session").select("id").execute()).length;
  expect(await count()).toBeGreaterThanOrEqual(2);
  server.clock.advance(31 * 86_400_000);
  const fresh = await server.as("guardian");
  await enqueue();
  await runJobsOnce(server.deps);
  expect(await count()).toBe(1);
  expect((await fresh.get("/api/session")).status).toBe(200);
  for (const client of [camille, old]) expect((await client.get("/api/session")).status).toBe(401);
});
