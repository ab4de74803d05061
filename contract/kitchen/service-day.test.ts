import { expect, test } from "vitest";
import { isServing, nextServiceAfter, serviceDayFrom } from "./service-day.ts";

const school = { weekdays: [0, 1, 3, 4] };
const everyDay = { weekdays: [0, 1, 2, 3, 4, 5, 6] };

// Monday 23 November 2026 begins the week.
test.each([
  ["2026-11-23", [school], "2026-11-23"],
  ["2026-11-25", [school], "2026-11-26"],
  ["2026-11-28", [school], "2026-11-30"],
  ["2026-11-29", [school], "2026-11-30"],
  ["2026-11-29", [school, everyDay], "2026-11-29"],
  ["2026-11-29", [], "2026-11-29"],
])("from %s on, of %o: %s", (day, canteens, served) => {
  expect(serviceDayFrom(day, canteens)).toBe(served);
});

const lunch = {
  servesFrom: "11:45",
  servesUntil: "13:30",
  serviceDays: ["2026-11-23", "2026-11-24"],
};

// Paris is one hour ahead of UTC in November.
test.each([
  ["2026-11-23T10:44:59Z", false, "2026-11-23"],
  ["2026-11-23T10:45:00Z", true, "2026-11-24"],
  ["2026-11-23T12:29:59Z", true, "2026-11-24"],
  ["2026-11-23T12:30:00Z", false, "2026-11-24"],
  // The day in Paris has begun while it is still the day before in UTC.
  ["2026-11-23T23:30:00Z", false, "2026-11-24"],
  ["2026-11-24T11:00:00Z", true, null],
  ["2026-11-25T11:00:00Z", false, null],
])("at %s a service is under way: %s, and the next one is on %s", (at, serving, next) => {
  expect(isServing(lunch, new Date(at))).toBe(serving);
  expect(nextServiceAfter(lunch, new Date(at))).toBe(next);
});
