// Statements read as one row: the result of none, one and several.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClone } from "#tests/cluster.ts";
import { inTx, type OpenDb } from "./db.ts";
import { query } from "./query.ts";

let database: OpenDb;
beforeAll(async () => {
  database = await openClone(1);
});
afterAll(() => database.close());

const numbers = (count: number) =>
  sql<{ theNumber: number }>`select n as the_number from generate_series(1, ${count}::int) n`;

test("one gives the row, and refuses none and several with the statement but no value", async () => {
  const { one } = query(database.db);
  expect(await one(numbers(1))).toEqual({ theNumber: 1 });
  const text = "select n as the_number from generate_series(1, $1::int) n";
  await expect(one(numbers(0))).rejects.toThrow(`one row was expected, there are 0: ${text}`);
  await expect(one(numbers(2))).rejects.toThrow(`one row was expected, there are 2: ${text}`);
});

test("maybeOne gives the row, null without one, and refuses several", async () => {
  const { maybeOne } = query(database.db);
  expect(await maybeOne(numbers(1))).toEqual({ theNumber: 1 });
  expect(await maybeOne(numbers(0))).toBeNull();
  await expect(maybeOne(numbers(2))).rejects.toThrow("one row was expected, there are 2");
});

test("within a transaction it reads what that wrote, and what it refuses is undone", async () => {
  const written = sql<{ id: number }>`insert into acceptance_group (name, slug, rule)
    values ('Une', 'une', ''), ('Deux', 'deux', '') returning id`;
  const there = sql<{ count: number }>`
    select count(*) from acceptance_group where slug in ('une', 'deux')`;
  await inTx(database.db, async (tx) => {
    await sql`insert into acceptance_group (name, slug, rule) values ('Une', 'une', '')`.execute(
      tx,
    );
    expect(await query(tx).one(there)).toEqual({ count: 1 });
    await sql`delete from acceptance_group where slug = 'une'`.execute(tx);
  });
  await expect(inTx(database.db, (tx) => query(tx).one(written))).rejects.toThrow("there are 2");
  expect(await query(database.db).one(there)).toEqual({ count: 0 });
});
