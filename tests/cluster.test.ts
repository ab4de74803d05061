import { afterAll, beforeAll, expect, test } from "vitest";
import { oneQuery } from "#server/db/one-query.ts";
import { type Clone, cloneDatabase, emptyDatabase } from "./cluster.ts";

let clones: Clone[];
beforeAll(async () => {
  clones = await Promise.all([cloneDatabase(), cloneDatabase()]);
});
afterAll(() => Promise.all(clones.map((clone) => clone.drop())));

const ask = oneQuery<Record<string, unknown>>;

test("two clones are migrated, and what one writes the other does not see", async () => {
  const [one, two] = clones as [Clone, Clone];
  await ask(one.url, "create table only_here (id int)");
  const seen = "select to_regclass('migration') as migration, to_regclass('only_here') as only";
  expect(await ask(one.url, seen)).toEqual([{ migration: "migration", only: "only_here" }]);
  expect(await ask(two.url, seen)).toEqual([{ migration: "migration", only: null }]);
});

test("names sort the French way where a query says so", async () => {
  const sorted = await ask(
    (clones[0] as Clone).url,
    `select n from unnest('{étage,zoo,Eau,eau}'::text[]) n order by n collate "fr-x-icu"`,
  );
  expect(sorted.map((row) => row["n"])).toEqual(["eau", "Eau", "étage", "zoo"]);
});

test("drop removes the database, an empty one holds nothing", async () => {
  const empty = await emptyDatabase();
  expect(await ask(empty.url, "select to_regclass('migration') as migration")).toEqual([
    { migration: null },
  ]);
  await empty.drop();
  await expect(ask(empty.url, "select 1")).rejects.toMatchObject({ code: "3D000" });
});
