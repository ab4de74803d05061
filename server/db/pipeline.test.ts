// Statements sent together: in their order, all or none, and with the error that began it.
import { sql } from "kysely";
import { DatabaseError } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openClone } from "#tests/cluster.ts";
import { type OpenDb, sqlState, type Tx } from "./db.ts";
import { inPipeline, runPipelined, runPipelinedAndCommit } from "./pipeline.ts";

let database: OpenDb;
beforeAll(async () => {
  database = await openClone(2);
  await sql`create table step (n int constraint step_positive check (n > 0),
    after_n int generated always as identity)`.execute(database.db);
});
beforeEach(async () => void (await sql`delete from step`.execute(database.db)));
afterAll(() => database.close());

const add = async (tx: Tx, n: number) => {
  await sql`insert into step (n) values (${n})`.execute(tx);
};
const late = async (tx: Tx, n: number) => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  await add(tx, n);
};
const count = async (tx: Tx) => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from step`.execute(tx);
  return rows[0]?.n;
};
const steps = async () => {
  const { rows } = await sql<{ n: number }>`select n from step order by after_n`.execute(
    database.db,
  );
  return rows.map(({ n }) => n);
};
const never = () => {
  throw new Error("nothing may be committed");
};

test("statements act in the order asked, each sees what those before it wrote, then all is committed", async () => {
  let committing = 0;
  const seen = await inPipeline(
    database.pool,
    async (tx) => {
      const [, , first] = await runPipelined(tx, [
        () => late(tx, 1),
        () => add(tx, 2),
        () => count(tx),
        () => late(tx, 3),
        () => add(tx, 4),
      ]);
      expect(await steps()).toEqual([]);
      return [first, await count(tx)];
    },
    () => (committing += 1),
  );
  expect(seen).toEqual([2, 4]);
  expect(committing).toBe(1);
  expect(await steps()).toEqual([1, 2, 3, 4]);
});

// proves: transfers-two-servers
test("one that is refused takes all back, and it is the one told; the connection serves on", async () => {
  const run = inPipeline(
    database.pool,
    (tx) =>
      runPipelined(tx, [() => add(tx, 1), () => late(tx, -1), () => add(tx, 2), () => count(tx)]),
    never,
  );
  await expect(run).rejects.toMatchObject({ code: "23514", constraint: "step_positive" });
  for (let round = 0; round < 4; round++) expect(await steps()).toEqual([]);
});

test("what throws between two flushes takes all back; one that sends nothing holds up nobody", async () => {
  const run = inPipeline(
    database.pool,
    async (tx) => {
      await runPipelined(tx, [() => add(tx, 1), async () => {}, () => add(tx, 2)]);
      throw new Error("decided otherwise");
    },
    never,
  );
  await expect(run).rejects.toThrow("decided otherwise");
  expect(await steps()).toEqual([]);
});

test("a refusal that the work swallows commits nothing and is said", async () => {
  const run = inPipeline(
    database.pool,
    async (tx) => {
      await runPipelined(tx, [() => add(tx, 1), () => add(tx, -1)]).catch(() => undefined);
    },
    () => {},
  );
  await expect(run).rejects.toThrow("aborted before its COMMIT");
  expect(await steps()).toEqual([]);
});

test("a connection cut in the middle commits nothing, and another one serves the next", async () => {
  const run = inPipeline(
    database.pool,
    async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db);
      await runPipelined(tx, [() => add(tx, 1), () => add(tx, 2)]);
    },
    never,
  );
  await expect(run).rejects.toBeInstanceOf(Error);
  await expect.poll(steps, { timeout: 60_000 }).toEqual([]);
  await inPipeline(
    database.pool,
    (tx) => runPipelined(tx, [() => add(tx, 5), () => add(tx, 6)]),
    () => {},
  );
  expect(await steps()).toEqual([5, 6]);
});

test("in an ordinary transaction the same statements act one after the other", async () => {
  const work = async (tx: Tx) =>
    await runPipelined(tx, [() => late(tx, 1), () => add(tx, 2), () => count(tx)]);
  expect(await database.db.transaction().execute(work)).toEqual([undefined, undefined, 2]);
  const refused = database.db
    .transaction()
    .execute((tx) => runPipelined(tx, [() => add(tx, -1), () => add(tx, 7)]));
  const why: unknown = await refused.catch((error: unknown) => error);
  expect(why).toBeInstanceOf(DatabaseError);
  expect(sqlState(why)).toBe("23514");
  expect(await steps()).toEqual([1, 2]);
});

test("the last statements leave with the COMMIT: all are in, nobody is told of an outcome that may stay unknown", async () => {
  const seen = await inPipeline(
    database.pool,
    async (tx) => {
      await runPipelined(tx, [() => add(tx, 1)]);
      return await runPipelinedAndCommit(tx, [
        () => add(tx, 2),
        () => late(tx, 3),
        () => count(tx),
      ]);
    },
    never,
  );
  expect(seen).toEqual([undefined, undefined, 3]);
  expect(await steps()).toEqual([1, 2, 3]);
});

// proves: transfers-two-servers
test("one of the last is refused, even under another name: nothing is in, and it is known", async () => {
  const refused = async (tx: Tx) => {
    await add(tx, -1).catch(() => {
      throw new Error("in other words");
    });
  };
  const run = inPipeline(
    database.pool,
    (tx) => runPipelinedAndCommit(tx, [() => add(tx, 1), () => refused(tx), () => add(tx, 2)]),
    never,
  );
  await expect(run).rejects.toThrow("in other words");
  for (let round = 0; round < 4; round++) expect(await steps()).toEqual([]);
});

// proves: transfers-two-servers
test("one of the last fails before it is sent: no COMMIT leaves", async () => {
  const unsent = async () => {
    await Promise.resolve();
    throw new Error("never sent");
  };
  const run = inPipeline(
    database.pool,
    (tx) => runPipelinedAndCommit(tx, [() => add(tx, 1), unsent, () => add(tx, 2)]),
    never,
  );
  await expect(run).rejects.toThrow("never sent");
  for (let round = 0; round < 4; round++) expect(await steps()).toEqual([]);
});

test("one of the last fails once it was sent: whoever asked is told that it may have passed", async () => {
  let committing = 0;
  const lateFault = async (tx: Tx) => {
    await add(tx, 2);
    throw new Error("could not read its answer");
  };
  const run = inPipeline(
    database.pool,
    (tx) => runPipelinedAndCommit(tx, [() => add(tx, 1), () => lateFault(tx)]),
    () => (committing += 1),
  );
  await expect(run).rejects.toThrow("could not read its answer");
  expect(committing).toBe(1);
  expect(await steps()).toEqual([1, 2]);
});

test("a connection cut under the last statements: whoever asked is told that it may have passed", async () => {
  let committing = 0;
  const run = inPipeline(
    database.pool,
    async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await Promise.all([
        runPipelinedAndCommit(tx, [() => add(tx, 1), () => sql`select pg_sleep(60)`.execute(tx)]),
        sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db),
      ]);
    },
    () => (committing += 1),
  );
  await expect(run).rejects.toBeInstanceOf(Error);
  expect(committing).toBe(1);
  expect(await steps()).toEqual([]);
});
