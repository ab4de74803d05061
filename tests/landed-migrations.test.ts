import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { landedMigrations } from "../scripts/landed-migrations.ts";

const migration = (name: string, sql: string) => ({
  number: Number(name.slice(0, 4)),
  name,
  sql,
  sha256: createHash("sha256").update(sql).digest("hex"),
});
const first = migration("0001-first.sql", "create table first (id int);");
const second = migration("0002-second.sql", "create table second (id int);");
const { list } = landedMigrations("", [first, second]);

test("a new migration is added to the list, and what stands there stays", () => {
  expect(list).toBe(
    `${first.sha256}  migrations/0001-first.sql\n${second.sha256}  migrations/0002-second.sql\n`,
  );
  expect(landedMigrations(list, [first, second])).toEqual({ list, faults: [] });
  const third = migration("0003-third.sql", "select 3;");
  expect(landedMigrations(list, [first, second, third])).toEqual({
    list: `${list}${third.sha256}  migrations/0003-third.sql\n`,
    faults: [],
  });
});

// proves: landed-migrations
test("a landed migration that was changed, renamed or removed is told by name, and its line stays", () => {
  const edited = landedMigrations(list, [migration("0001-first.sql", "select 1;"), second]);
  expect(edited.faults).toEqual([
    expect.stringContaining("0001-first.sql was changed after it had landed"),
  ]);
  expect(edited.list).toBe(list);
  const renamed = landedMigrations(list, [first, migration("0002-other.sql", second.sql)]);
  expect(renamed.faults).toEqual([
    expect.stringContaining("0002-second.sql was removed after it had landed"),
  ]);
});
