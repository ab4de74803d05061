import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { changedMigrations, listOf } from "../scripts/landed-migrations.ts";

const migration = (name: string, sql: string) => ({
  number: Number(name.slice(0, 4)),
  name,
  sql,
  sha256: createHash("sha256").update(sql).digest("hex"),
});
const first = migration("0001-first.sql", "create table first (id int);");
const second = migration("0002-second.sql", "create table second (id int);");
const list = listOf([first, second]);

test("the list has a line for each migration, and a new migration is no fault", () => {
  expect(list).toBe(
    `${first.sha256}  migrations/0001-first.sql\n${second.sha256}  migrations/0002-second.sql\n`,
  );
  expect(changedMigrations(list, [first, second])).toEqual([]);
  const third = migration("0003-third.sql", "select 3;");
  expect(changedMigrations(list, [first, second, third])).toEqual([]);
});

// proves: landed-migrations
test("a landed migration that was changed, renamed or removed is told by name", () => {
  const edited = [migration("0001-first.sql", "select 1;"), second];
  expect(changedMigrations(list, edited)).toEqual([
    expect.stringContaining("0001-first.sql was changed after it had landed"),
  ]);
  const renamed = [first, migration("0002-other.sql", second.sql)];
  expect(changedMigrations(list, renamed)).toEqual([
    expect.stringContaining("0002-second.sql was removed after it had landed"),
  ]);
});

test("a line that cannot be read is a fault: its migration would be free to change", () => {
  const spoiled = list.replace(first.sha256, "0123");
  expect(changedMigrations(spoiled, [first, second])).toEqual([
    expect.stringContaining("a line that cannot be read: 0123"),
  ]);
});
