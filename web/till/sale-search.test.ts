// Periods of the search of sales: each is found again by its days, on whatever weekday and in whatever month.
import { expect, test } from "vitest";
import { daysOfPeriods, periodOf } from "./sale-search.ts";

test.each(["2027-11-22", "2027-11-28", "2027-11-30", "2027-12-01", "2028-02-29", "2028-01-01"])(
  "each period of %s is known by its days",
  (today) => {
    for (const [period, days] of Object.entries(daysOfPeriods(today)))
      expect(periodOf(days, today)).toBe(period);
  },
);

test("other days are one's own, and half a period too", () => {
  expect(periodOf({ from: "2027-11-02", to: "2027-11-03" }, "2027-11-23")).toBe("own");
  expect(periodOf({ from: undefined, to: "2027-11-23" }, "2027-11-23")).toBe("own");
});

test("weeks are from Monday to Sunday, months whole", () => {
  const { week, month } = daysOfPeriods("2028-02-29");
  expect(week).toEqual({ from: "2028-02-28", to: "2028-03-05" });
  expect(month).toEqual({ from: "2028-02-01", to: "2028-02-29" });
});
