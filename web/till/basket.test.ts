import { expect, test } from "vitest";
import { addOne, atPricesOfNow, changeCount, changedPrices, countOf, saleCents } from "./basket.ts";

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
