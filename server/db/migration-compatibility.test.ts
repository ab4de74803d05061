// A server of version N-1 keeps running while N migrates the database: the names in its statements must stay.
// The migrations are applied one by one, and what each removes or requires is compared with this list.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { emptyDatabase } from "#tests/cluster.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { type Migration, migrate, readMigrations } from "./migrate.ts";
import { oneQuery } from "./one-query.ts";

/**
 * Migrations that break the version before, and what its users saw meanwhile (docs/running.md). A new line is
 * a decision: think first of a migration that adds, and a later one that removes.
 */
const known: Record<string, string[]> = {};

let nothing: string;
beforeAll(async () => {
  nothing = await scratchFolder("no-migrations");
});
afterAll(() => removeData(nothing));

/** Names that a statement may use; for a unique index the columns by which `on conflict` infers it. */
const standsOn = `
  select 'column ' || a.attrelid::regclass || '.' || a.attname as name
    from pg_attribute a join pg_class r on r.oid = a.attrelid
    where r.relkind in ('r', 'v', 'm') and r.relnamespace = 'public'::regnamespace
      and a.attnum > 0 and not a.attisdropped
  union select 'function ' || oid::regprocedure from pg_proc
    where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
  union select 'unique ' || i.indrelid::regclass || ' (' || (
      select string_agg(pg_get_indexdef(i.indexrelid, place, true), ', ' order by 1)
        from generate_series(1, i.indnkeyatts) place) || ')'
      || coalesce(' where ' || pg_get_expr(i.indpred, i.indrelid), '')
    from pg_index i join pg_class r on r.oid = i.indrelid
    where i.indisunique and r.relnamespace = 'public'::regnamespace`;

/** Columns that an insert must name. */
const demanded = `
  select a.attrelid::regclass || '.' || a.attname as name, a.attrelid::regclass::text as "table"
    from pg_attribute a join pg_class r on r.oid = a.attrelid
    where r.relkind = 'r' and r.relnamespace = 'public'::regnamespace and a.attnum > 0
      and not a.attisdropped and a.attnotnull and not a.atthasdef and a.attidentity = ''`;

type Step = Pick<Migration, "name" | "sql">;

/** What each of the migrations breaks of what those before it left, by its name. */
async function broken(migrations: readonly Step[]): Promise<Record<string, string[]>> {
  const database = await emptyDatabase();
  const ask = <Row extends Record<string, string>>(sql: string) => oneQuery<Row>(database.url, sql);
  const breaks: Record<string, string[]> = {};
  onTestFinished(() => database.drop());
  await migrate(database.url, { folder: nothing });
  let before = { names: [] as string[], demanded: new Set<string>(), tables: new Set<string>() };
  for (const { name, sql } of migrations) {
    await ask(sql);
    const names = (await ask<{ name: string }>(standsOn)).map((row) => row.name);
    const columns = await ask<{ name: string; table: string }>(demanded);
    const there = new Set(names);
    const missed = [
      ...before.names.filter((one) => !there.has(one)).map((one) => `no more ${one}`),
      ...columns
        .filter(({ name: one, table }) => before.tables.has(table) && !before.demanded.has(one))
        .map((row) => `demands ${row.name}`),
    ].sort();
    if (missed.length > 0) breaks[name] = missed;
    before = {
      names,
      demanded: new Set(columns.map((row) => row.name)),
      tables: new Set(columns.map((row) => row.table)),
    };
  }
  return breaks;
}

// proves: started-together
test("a migration leaves what the version before it names, and demands nothing that it does not write", async () => {
  expect(await broken(await readMigrations())).toEqual(known);
});

// proves: started-together
test("what a migration takes away or demands is found: a column, a function, a unique index", async () => {
  const steps = [
    `create table seat (id int not null, place int, free int);
      create unique index seat_place on seat (place) where free > 0;
      create function seats() returns bigint language sql return (select count(*) from seat)`,
    "alter table seat add column kept int not null default 0; create unique index on seat (id)",
    "drop function seats(); drop index seat_place; alter table seat drop column free, alter place set not null",
  ];
  expect(await broken(steps.map((sql, index) => ({ name: `${index + 1}`, sql })))).toEqual({
    3: [
      "demands seat.place",
      "no more column seat.free",
      "no more function seats()",
      "no more unique seat (place) where (free > 0)",
    ],
  });
});
