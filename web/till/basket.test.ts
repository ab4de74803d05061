import { expect, test } from "vitest";
import { articles as limits } from "#contract/till/limits.ts";
import {
  addOne,
  atPricesOfNow,
  changeCount,
  changedPrices,
  countOf,
  limitReached,
  saleCents,
} from "./basket.ts";

const coffee = { id: "a", name: "Café", priceCents: 180, shelf: null, active: true };
const tea = { id: "b", name: "Thé", priceCents: 250, shelf: null, active: true };

test("articles add up with what is typed", () => {
  const lines = addOne(addOne(addOne([], coffee), tea), coffee);
  expect(lines.map(({ name, count }) => [name, count])).toEqual([
    ["Café", 2],
    ["Thé", 1],
  ]);
  expect(saleCents({ entry: "", lines: [] })).toBeNull();
  expect(saleCents({ entry: "", lines })).toBe(610);
  expect(saleCents({ entry: "150", lines })).toBe(760);
  expect(changeCount(changeCount(lines, 0, -1), 0, -1).map(({ name }) => name)).toEqual(["Thé"]);
});

test("a price that changes meanwhile leaves the sale as it was shown, until it is taken over", () => {
  const lines = addOne([], coffee);
  const list = [{ ...coffee, priceCents: 200 }, tea];
  expect(saleCents({ entry: "", lines })).toBe(180);
  expect(changedPrices(lines, list)).toEqual([{ line: lines[0], nowCents: 200 }]);
  const more = addOne(lines, { ...coffee, priceCents: 200 });
  expect(more).toHaveLength(2);
  expect(countOf(more, "a")).toBe(2);
  expect(saleCents({ entry: "", lines: more })).toBe(380);
  expect(saleCents({ entry: "", lines: atPricesOfNow(more, list) })).toBe(400);
  expect(changedPrices(atPricesOfNow(more, list), list)).toEqual([]);
  expect(atPricesOfNow(more, list)).toEqual([
    { article: "a", name: "Café", priceCents: 200, count: 2 },
  ]);
});

test("a press that adds nothing more says why", () => {
  const times = (count: number, of: (n: number) => typeof coffee) =>
    Array.from({ length: count }, (_, n) => of(n)).reduce<ReturnType<typeof addOne>>(addOne, []);
  const manyOfOne = times(limits.count, () => coffee);
  expect(limitReached(manyOfOne.map((line) => ({ ...line, count: line.count - 1 })))).toBeNull();
  expect(countOf(addOne(manyOfOne, coffee), "a")).toBe(limits.count);
  expect(limitReached(manyOfOne)).toBe("Un achat compte 99 «\u00a0Café\u00a0» au plus.");
  const different = times(limits.lines, (n) => ({ ...coffee, id: String(n), name: `Thé ${n}` }));
  expect(limitReached(different.slice(1))).toBeNull();
  expect(addOne(different, tea)).toBe(different);
  expect(limitReached(different)).toBe("Un achat a 40 articles différents au plus.");
});
