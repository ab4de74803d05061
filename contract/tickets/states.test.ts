// Refunds by the policy of an event, and the conditions of a price.
import { expect, test } from "vitest";
import { conditionBeside, conditionText, refundPercent } from "./states.ts";

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

test.each([
  ["Moins de 12 ans", { ageMax: 11 }, ""],
  ["Tarif enfant, moins de 12 ans", { ageMax: 11 }, ""],
  ["Enfant", { ageMax: 11 }, "moins de 12 ans"],
  ["Moins de 2 ans", { ageMax: 11 }, "moins de 12 ans"],
  ["Étudiant", { student: true }, ""],
  ["Étudiant", { student: true, ageMax: 25 }, "moins de 26 ans"],
  ["65 ans et plus", { ageMin: 65, quotientMax: 800 }, "quotient familial jusqu'à 800"],
])("beside « %s » nothing is said twice", (name, condition, beside) => {
  const none = { ageMin: null, ageMax: null, student: false, quotientMax: null };
  const category = { ...none, ...condition, name };
  expect(conditionBeside(category)).toBe(beside);
  // Alone it says all of it.
  expect(conditionText(category)).toContain(beside);
});
