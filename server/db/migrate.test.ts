import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Clone, emptyDatabase } from "#tests/cluster.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { dumpSchema } from "../../scripts/schema-dump.ts";
import { migrate, queueRevision, readMigrations } from "./migrate.ts";
import { oneQuery } from "./one-query.ts";

let folder: string;
let database: Clone;
const put = (name: string, sql: string) => writeFile(join(folder, name), sql);
const rows = (sql: string) => oneQuery<Record<string, unknown>>(database.url, sql);

beforeAll(async () => {
  folder = await scratchFolder("migrations");
  database = await emptyDatabase();
});
afterAll(async () => {
  await database.drop();
  await removeData(folder);
});

// proves: started-together
test("four servers that migrate one empty database at once apply each file once", async () => {
  const names = (await readMigrations()).map((file) => file.name);
  // The race is over who creates the first table: a few rounds, since one is easily won.
  for (let round = 0; round < 3; round++) {
    const empty = await emptyDatabase();
    const results = await Promise.all([1, 2, 3, 4].map(() => migrate(empty.url)));
    expect(results.flatMap((result) => result.applied).sort()).toEqual(names);
    expect(await migrate(empty.url)).toEqual({ applied: [], unknown: [] });
    await empty.drop();
  }
});

test("a start knows by one question that nothing is missing: the queue's last migration is ours to name", async () => {
  const empty = await emptyDatabase();
  await migrate(empty.url);
  const last = "select max(id) as id from graphile_worker.migrations";
  expect(await oneQuery(empty.url, last)).toEqual([{ id: queueRevision }]);
  await oneQuery(empty.url, "insert into migration values (9999, '9999-later.sql', 'later')");
  expect(await migrate(empty.url)).toEqual({ applied: [], unknown: ["9999-later.sql"] });
  await oneQuery(empty.url, "update migration set sha256 = 'other' where number = 1");
  await expect(migrate(empty.url)).rejects.toMatchObject({ name: "StartProblem" });
  await empty.drop();
});

test("a file that fails leaves nothing of itself, and what came before it stays", async () => {
  await put("0001-first.sql", "create table first (id int);");
  await put("0002-second.sql", "create table second (id int); select 1 / 0;");
  await expect(migrate(database.url, { folder })).rejects.toMatchObject({
    name: "StartProblem",
    message: expect.stringContaining("0002-second.sql échoue"),
  });
  expect(
    await rows("select to_regclass('first') as first, to_regclass('second') as second"),
  ).toEqual([{ first: "first", second: null }]);
  expect(await rows("select number from migration")).toEqual([{ number: 1 }]);
  await put("0002-second.sql", "create table second (id int);");
  expect((await migrate(database.url, { folder })).applied).toEqual(["0002-second.sql"]);
});

// proves: landed-migrations
test("an applied file that was changed is refused, its line endings apart", async () => {
  await put("0001-first.sql", "create table first (id int);\r\n".trimEnd());
  expect((await migrate(database.url, { folder })).applied).toEqual([]);
  await put("0001-first.sql", "create table first (id bigint);");
  await expect(migrate(database.url, { folder })).rejects.toMatchObject({
    message: expect.stringContaining("0001-first.sql a été modifiée"),
  });
  await put("0001-first.sql", "create table first (id int);");
});

// proves: landed-migrations
test("an applied file under another name is refused as a changed one, not as a trial version's", async () => {
  const second = "create table second (id int);";
  await rm(join(folder, "0002-second.sql"));
  await put("0002-other.sql", second);
  await expect(migrate(database.url, { folder })).rejects.toMatchObject({
    message: expect.stringContaining(
      "La migration 0002-other.sql a été modifiée après avoir été appliquée (0002-second.sql)",
    ),
  });
  await rm(join(folder, "0002-other.sql"));
  await put("0002-second.sql", second);
});

// proves: started-together
test("a database that is newer than the code still serves it, and says what is unknown", async () => {
  await rm(join(folder, "0002-second.sql"));
  expect(await migrate(database.url, { folder })).toEqual({
    applied: [],
    unknown: ["0002-second.sql"],
  });
});

test("two files of one number, or a name of another form, stop the start", async () => {
  await put("0001-again.sql", "select 1;");
  await expect(readMigrations(folder)).rejects.toThrow("numéro pris deux fois");
  await rm(join(folder, "0001-again.sql"));
  await put("third.sql", "select 1;");
  await expect(readMigrations(folder)).rejects.toThrow("third.sql");
});

// proves: landed-migrations
test("a database that ran the migrations of the trial versions is refused, and nothing of it is touched", async () => {
  const former = await emptyDatabase();
  // As they began; they were 83. The set of today has other names from its first file on.
  await rm(join(folder, "0001-first.sql"));
  await rm(join(folder, "third.sql"));
  await put(
    "0001-ledger.sql",
    "create table transfer (id int); insert into transfer select generate_series(1, 3);",
  );
  await put("0002-identity.sql", "create table person (id int);");
  await migrate(former.url, { folder });
  // Even the queue's own tables would be a change.
  await oneQuery(former.url, "drop schema graphile_worker cascade");
  const state = async () => ({
    schema: await dumpSchema(former.url),
    schemas: await oneQuery(former.url, "select nspname from pg_namespace order by oid"),
    rows: await oneQuery(former.url, "select xmin, id from transfer"),
    applied: await oneQuery(former.url, "select xmin, * from migration"),
  });
  const before = await state();
  await expect(migrate(former.url)).rejects.toMatchObject({
    name: "StartProblem",
    message: expect.stringContaining("version d’essai de Ma carte (migration 0001-ledger.sql)"),
    exitCode: 74,
  });
  expect(await state()).toEqual(before);
  await former.drop();
});
