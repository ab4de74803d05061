// Meals that a counter back on the network still shows as served, while its own scans have not left.
import { expect, test } from "vitest";
import type { Scan } from "#contract/meal-service/counter.ts";
import { unsentMeals } from "./counter-state.ts";
import type { StoredScan } from "./scan-queue.ts";

const day = "2026-11-23";
const storedScan = (id: string, more: Partial<Scan> = {}, sent = false): StoredScan => ({
  canteen: "canteen",
  name: "Léo",
  sent,
  result: null,
  scan: { id, day, registration: "leo", verdict: "served", at: id, ...more },
});

test("the last meal handed counts, whatever was read of the person before and after", () => {
  const newestFirst = [
    storedScan("4", { verdict: "already" }),
    storedScan("3"),
    storedScan("2", { undoneAt: "2" }),
    storedScan("1", { verdict: "no_order" }),
  ];
  expect(unsentMeals(newestFirst, day).get("leo")?.id).toBe("3");
});

test("what the server has, and what was undone, does not", () => {
  const scans = [storedScan("2", { undoneAt: "2" }), storedScan("1", {}, true)];
  expect(unsentMeals(scans, day)).toEqual(new Map());
});

test("a meal of the day before that waits to be sent leaves that of today to serve", () => {
  const scans = [storedScan("2"), storedScan("1")];
  expect(unsentMeals(scans, "2026-11-24")).toEqual(new Map());
});
