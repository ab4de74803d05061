// The role of the running server may read and write rows; it can change neither the schema nor history.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Clone, cloneDatabase, emptyDatabase } from "#tests/cluster.ts";
import { migrate } from "./migrate.ts";
import { oneQuery } from "./one-query.ts";
import { embeddedRole } from "./runtime-role.ts";

let database: Clone;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const asServer = (statement: string) => oneQuery(database.runtimeUrl, statement);
const notAllowed = { code: "42501" };

// proves: runtime-role
test("it is no superuser, owns nothing and may make neither roles nor databases", async () => {
  expect(
    await asServer(`select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
      (select count(*)::int from pg_class where relowner = r.oid) as owned
      from pg_roles r where rolname = current_user`),
  ).toEqual([
    {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      owned: 0,
    },
  ]);
});

// proves: runtime-role, journal-not-edited
test.each([
  "create table mine (id int)",
  "alter table transfer disable trigger all",
  "alter table ledger_account drop constraint insufficient_funds",
  "drop table audit",
  "truncate limiter",
  "update transfer set amount = amount + 1",
  "delete from transfer",
  "update audit set address = '6.6.6.6'",
  "delete from audit",
  "delete from seal",
  "delete from ledger_account",
  "delete from hold",
  "set session_replication_role = replica",
  "copy person to program 'cat'",
  "select pg_read_file('postgresql.conf')",
  "select rolpassword from pg_authid",
  "create role other superuser",
])("refused: %s", async (statement) => {
  await expect(asServer(statement)).rejects.toMatchObject(notAllowed);
});

// proves: runtime-role
test("every table of the schema and of the queue can be read and written", async () => {
  const closed = await asServer(`select c.oid::regclass::text as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'graphile_worker') and c.relkind = 'r'
      and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert'))`);
  expect(closed).toEqual([]);
  await asServer("select graphile_worker.add_job('probe')");
  expect(await asServer("select task_identifier from graphile_worker.jobs")).toEqual([
    { task_identifier: "probe" },
  ]);
});

// proves: runtime-role
test("a migration's new table is opened at the next start; one that is current needs no owner", async () => {
  const empty = await emptyDatabase();
  try {
    await expect(migrate(empty.runtimeUrl)).rejects.toThrow(/permission denied/);
    await migrate(empty.url, { runtimeRole: embeddedRole });
    await oneQuery(empty.url, "create table added_later (id int)");
    const read = () => oneQuery(empty.runtimeUrl, "select id from added_later");
    await expect(read()).rejects.toMatchObject(notAllowed);
    await Promise.all([1, 2].map(() => migrate(empty.url, { runtimeRole: embeddedRole })));
    expect(await read()).toEqual([]);
    expect(await migrate(empty.runtimeUrl)).toEqual({ applied: [], unknown: [] });
  } finally {
    await empty.drop();
  }
});
