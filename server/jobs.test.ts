import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "kysely";
import { inTx } from "#server/db/db.ts";
import { openHouse, type House } from "#tests/house.ts";
import { runJobsOnce, startJobs } from "./jobs.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const waiting = async () => {
  const { rows } = await sql<{
    task_identifier: string;
    attempts: number;
    locked_by: string | null;
  }>`
    select task_identifier, attempts, locked_by from graphile_worker.jobs order by id`.execute(
    house.deps.db,
  );
  return rows;
};
const enqueue = (when?: { runAt?: Date; key?: string }) =>
  inTx(house.deps.db, (tx) => house.deps.enqueue(tx, "sweep", {}, when));

test("a worker runs what is enqueued, at once, and stops cleanly", async () => {
  const jobs = await startJobs(house.deps);
  const start = performance.now();
  await enqueue();
  await expect.poll(waiting, { timeout: 4000, interval: 10 }).toEqual([]);
  expect(performance.now() - start).toBeLessThan(1900);
  await jobs.stop();
  await enqueue();
  await sleep(300);
  expect(await waiting()).toHaveLength(1);
  await runJobsOnce(house.deps);
  expect(await waiting()).toEqual([]);
});

test("one key waits once; a job of later waits for its time by the house's clock", async () => {
  const later = new Date(house.clock.now().getTime() + 3_600_000);
  await enqueue({ runAt: later, key: "once" });
  await enqueue({ runAt: later, key: "once" });
  expect(await waiting()).toHaveLength(1);
  await runJobsOnce(house.deps);
  expect(await waiting()).toHaveLength(1);
  house.clock.advance(3_601_000);
  await runJobsOnce(house.deps);
  expect(await waiting()).toEqual([]);
});

test("an enqueued job of a failed transaction does not exist", async () => {
  const failing = inTx(house.deps.db, async (tx) => {
    await house.deps.enqueue(tx, "sweep", {});
    throw new Error("refused");
  });
  await expect(failing).rejects.toThrow("refused");
  expect(await waiting()).toEqual([]);
});

test("a job that fails waits for its next try and does not stop the others", async () => {
  await inTx(house.deps.db, async (tx) => {
    await house.deps.enqueue(tx, "nobody_knows", {});
    await house.deps.enqueue(tx, "sweep", {});
  });
  await runJobsOnce(house.deps);
  expect(await waiting()).toMatchObject([{ task_identifier: "nobody_knows", attempts: 1 }]);
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(
    house.deps.db,
  );
});

test("a job locked by a worker that was killed is freed at the next start, and runs", async () => {
  await enqueue();
  await sql`update graphile_worker._private_jobs
    set locked_by = 'pool-dead', locked_at = now() - interval '1 minute', attempts = 1`.execute(
    house.deps.db,
  );
  const jobs = await startJobs(house.deps);
  await expect.poll(waiting, { timeout: 6000, interval: 20 }).toEqual([]);
  await jobs.stop();
});

test("a job locked by a worker that lives is left alone", async () => {
  const { pool } = house.deps;
  const alive = await pool.connect();
  await alive.query("set application_name = 'pool-alive'");
  await enqueue();
  await sql`update graphile_worker._private_jobs
    set locked_by = 'pool-alive', locked_at = now() - interval '1 minute', attempts = 1`.execute(
    house.deps.db,
  );
  const jobs = await startJobs(house.deps);
  await sleep(200);
  expect(await waiting()).toMatchObject([{ locked_by: "pool-alive" }]);
  await jobs.stop();
  alive.release(true);
});

test("every connection cut: the worker comes back by itself and runs what waits", async () => {
  const jobs = await startJobs(house.deps);
  const { pool } = house.deps;
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'ma-carte-jobs%' and datname = current_database()`;
  for (let round = 0; round < 3; round++) {
    expect((await pool.query(cut)).rowCount).toBeGreaterThan(0);
    await enqueue();
    await expect.poll(waiting, { timeout: 8000, interval: 20 }).toEqual([]);
  }
  await jobs.stop();
});

test("sweep forgets old codes, counters and sessions, and keeps what still serves", async () => {
  const { db } = house.deps;
  const camille = await house.as("guardian");
  const old = await house.as("stranger");
  house.clock.advance(14 * 3_600_000);
  await enqueue();
  await runJobsOnce(house.deps);
  const count = async () => (await db.selectFrom("session").select("id").execute()).length;
  expect(await count()).toBeGreaterThanOrEqual(2);
  house.clock.advance(31 * 86_400_000);
  const fresh = await house.as("guardian");
  await enqueue();
  await runJobsOnce(house.deps);
  expect(await count()).toBe(1);
  expect((await fresh.get("/api/session")).status).toBe(200);
  for (const client of [camille, old]) expect((await client.get("/api/session")).status).toBe(401);
});
