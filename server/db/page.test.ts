// Lists paged by key, read from PostgreSQL page by page until there is none.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClone } from "#tests/cluster.ts";
import { type OpenDb } from "./db.ts";
import { pageOf } from "./page.ts";

let database: OpenDb;
beforeAll(async () => {
  database = await openClone(1);
});
afterAll(() => database.close());

/** The pages of a list of the numbers from `count` down to 1. */
async function pagesOf(count: number, limit: number): Promise<number[][]> {
  const pages: number[][] = [];
  for (let before: number | null = count + 1; before !== null;) {
    const { rows } = await sql<{ n: number }>`
      select n from generate_series(1, ${count}::int) n where n < ${before}
      order by n desc limit ${limit + 1}`.execute(database.db);
    const page: { items: { n: number }[]; next: number | null } = pageOf(rows, limit, ({ n }) => n);
    pages.push(page.items.map(({ n }) => n));
    before = page.next;
  }
  return pages;
}

test("each row is on one page, and no page is empty but that of an empty list", async () => {
  expect(await pagesOf(5, 2)).toEqual([[5, 4], [3, 2], [1]]);
  expect(await pagesOf(4, 2)).toEqual([
    [4, 3],
    [2, 1],
  ]);
  expect(await pagesOf(2, 2)).toEqual([[2, 1]]);
  expect(await pagesOf(0, 2)).toEqual([[]]);
});

test("the key is whatever the list goes by", () => {
  const days = [{ on: "2026-03-02" }, { on: "2026-03-01" }];
  expect(pageOf(days, 1, ({ on }) => on)).toEqual({ items: [days[0]], next: "2026-03-02" });
});
