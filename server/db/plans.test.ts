// Reads whose plan PostgreSQL keeps, as its own list shows them.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClone } from "#tests/cluster.ts";
import { openDb, prepared, opaqueParameter } from "./db.ts";

let database: Awaited<ReturnType<typeof openClone>>;
beforeAll(async () => {
  database = await openClone(1);
});
afterAll(() => database.close());

const countPlans = async (part: string) =>
  (
    await database.pool.query("select statement from pg_prepared_statements where statement ~ $1", [
      part,
    ])
  ).rows.length;
const often = async (read: () => Promise<unknown>) => {
  for (let time = 0; time < 8; time++) await read();
};

test("a read that comes often is planned once, its answer is the same", async () => {
  const read = async (number: number) =>
    (await sql<{ twice: number }>`select ${number}::int * 2 as twice, 'often'`.execute(database.db))
      .rows[0]?.twice;
  expect(await read(1)).toBe(2);
  expect(await countPlans("'often'")).toBe(0);
  await often(() => read(3));
  expect(await countPlans("'often'")).toBe(1);
  expect(await read(21)).toBe(42);
});

test("a read that bears a name is planned once from its first time on", async () => {
  await sql`${prepared("first-time")} select 'named'`.execute(database.db);
  expect(await countPlans("'named'")).toBe(1);
});

test("a list that the planner does not see has one plan, whether of one or of a hundred", async () => {
  const found = async (ids: number[]) =>
    (
      await sql<{ n: number }>`${prepared("unseen-list")} select count(p.id)::int as n
        from unnest(${opaqueParameter(ids, "bigint[]")}) one
        join person p on p.id = one and p.id = any(${opaqueParameter(ids, "bigint[]")})`.execute(
        database.db,
      )
    ).rows[0]?.n;
  await often(() => found([1]));
  const { rows } = await database.pool.query(
    "select generic_plans > 0 as once from pg_prepared_statements where name = 'unseen-list'",
  );
  expect(rows).toEqual([{ once: true }]);
  expect(await found([1])).toBe(1);
  expect(await found(Array.from({ length: 100 }, (_, id) => -id))).toBe(0);
});

test("behind a pooler of transactions no plan is kept, and it sets the time limits itself", async () => {
  const pooled = openDb(database.url, { max: 1, pooler: true });
  const read = () => sql`${prepared("pooled")} select 'pooled'`.execute(pooled.db);
  await often(read);
  await pooled.pool.query({ name: "own", text: "select 'pooled'" });
  const { rows } = await pooled.pool.query(
    `select (select count(*)::int from pg_prepared_statements) as plans,
            current_setting('statement_timeout') as limit`,
  );
  expect(rows).toEqual([{ plans: 0, limit: "0" }]);
  await pooled.close();
});

test("a star, a filter that may be left out, a search, a span and a write are planned anew", async () => {
  const { db } = database;
  const none = null as string | null;
  await often(() => sql`select * from person where id = 0 and 'star' <> ''`.execute(db));
  await often(() => sql`select 'left out' where ${none}::text is null`.execute(db));
  await often(() => sql`select 'search' where 'a' ilike ${"%a%"}`.execute(db));
  await often(() => sql`select 'span' where 2 between ${1}::int and ${3}::int`.execute(db));
  await often(() => sql`update person set name = 'write' where id = 0`.execute(db));
  expect(await countPlans("'(star|left out|search|span|write)'")).toBe(0);
});

test("a column that a newer version adds changes no answer", async () => {
  const all = () => database.db.selectFrom("acceptanceGroup").selectAll().orderBy("id").execute();
  const ids = () => database.db.selectFrom("acceptanceGroup").select("id").orderBy("id").execute();
  await often(all);
  await often(ids);
  const before = await all();
  await database.pool.query("alter table acceptance_group add column later int");
  expect(await all()).toEqual(before.map((row) => ({ ...row, later: null })));
  expect(await ids()).toEqual(before.map(({ id }) => ({ id })));
});
