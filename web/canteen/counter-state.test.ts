// What a counter back on the network still shows as served, while its own scans have not left.
import { expect, test } from "vitest";
import type { Scan } from "#contract/canteen/counter.ts";
import { unsentMeals } from "./counter-state.ts";
import type { KeptScan } from "./kept-scans.ts";

const kept = (id: string, more: Partial<Scan> = {}, sent = false): KeptScan => ({
  canteen: "canteen",
  name: "Léo",
  sent,
  result: null,
  scan: { id, registration: "leo", verdict: "served", at: id, ...more } as Scan,
});

test("the last meal handed counts, whatever was read of the person before and after", () => {
  const newestFirst = [
    kept("4", { verdict: "already" }),
    kept("3"),
    kept("2", { undoneAt: "2" }),
    kept("1", { verdict: "no_order" }),
  ];
  expect(unsentMeals(newestFirst).get("leo")?.id).toBe("3");
});

test("what the server has, and what was undone, does not", () => {
  expect(unsentMeals([kept("2", { undoneAt: "2" }), kept("1", {}, true)])).toEqual(new Map());
});
