import { expect, test } from "vitest";
import { serviceDayFrom } from "./service-day.ts";

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
