// What the policy of an event gives back.
import { expect, test } from "vitest";
import { refundPercent } from "./states.ts";

test("a policy gives back by its best rule still open", () => {
  const policy = {
    text: "",
    rules: [
      { hours: 24, percent: 50 },
      { hours: 72, percent: 100 },
    ],
  };
  const start = new Date("2026-12-10T20:00:00Z");
  const at = (hours: number) => new Date(start.getTime() - hours * 3_600_000);
  expect([100, 72, 71.9, 24, 23, -1].map((h) => refundPercent(policy, start, at(h)))).toEqual([
    100, 100, 50, 50, 0, 0,
  ]);
});
