// When a pass may begin and until when it is valid, by the day in Paris.
import { describe, expect, test } from "vitest";
import { isLate, lastDayOf, mayStart, spanOf, startOf } from "./validity.ts";

const of = (kind: "single" | "day" | "month" | "year" | "school") => ({
  kind,
  minutes: kind === "single" ? 90 : null,
});

describe("the start", () => {
  test("a month is one of three calendar months; this one begins today", () => {
    expect(startOf(of("month"), "2026-11-21").choices).toEqual([
      { on: "2026-11-21", label: "novembre 2026" },
      { on: "2026-12-01", label: "décembre 2026" },
      { on: "2027-01-01", label: "janvier 2027" },
    ]);
    expect(mayStart(of("month"), "2026-12-02", "2026-11-21")).toBe(false);
    expect(mayStart(of("month"), "2026-12-01", "2026-11-21")).toBe(true);
  });

  test("a year begins within 60 days, a day within 30, never in the past", () => {
    expect(mayStart(of("year"), "2027-01-20", "2026-11-21")).toBe(true);
    expect(mayStart(of("year"), "2027-01-21", "2026-11-21")).toBe(false);
    expect(mayStart(of("day"), "2026-12-21", "2026-11-21")).toBe(true);
    expect(mayStart(of("day"), "2026-11-20", "2026-11-21")).toBe(false);
  });

  test.each([
    ["2026-11-21", ["2026-11-21"]],
    ["2027-05-31", ["2027-05-31"]],
    ["2027-06-01", ["2027-06-01", "2027-09-01"]],
    ["2027-07-01", ["2027-09-01"]],
    ["2027-08-31", ["2027-09-01"]],
    ["2027-09-01", ["2027-09-01"]],
  ])("school years on sale on %s", (today, expected) => {
    expect(startOf(of("school"), today).choices.map(({ on }) => on)).toEqual(expected);
  });
});

describe("the end", () => {
  test.each([
    ["month", "2028-02-10", "2028-02-29"],
    ["year", "2026-11-21", "2027-11-20"],
    ["year", "2028-02-29", "2029-02-28"],
    ["year", "2027-03-01", "2028-02-29"],
    ["school", "2026-09-01", "2027-08-31"],
    ["school", "2027-08-31", "2027-08-31"],
    ["day", "2026-11-21", "2026-11-21"],
  ] as const)("%s from %s lasts to %s", (kind, from, expected) => {
    expect(lastDayOf(of(kind), from)).toBe(expected);
  });

  test("it ends at midnight in Paris, whatever the clocks did in between", () => {
    const at = new Date("2026-10-10T08:00:00Z");
    const { from, until } = spanOf(of("month"), "2026-10-10", at);
    expect(from).toEqual(at);
    expect(until.toISOString()).toBe("2026-10-31T23:00:00.000Z");
    const later = spanOf(of("day"), "2026-10-12", at);
    expect(later.from.toISOString()).toBe("2026-10-11T22:00:00.000Z");
  });

  test("a ticket rides for its minutes from the purchase", () => {
    const at = new Date("2026-11-21T22:50:00Z");
    expect(spanOf(of("single"), "2026-11-21", at).until.toISOString()).toBe(
      "2026-11-22T00:20:00.000Z",
    );
  });
});

test.each([
  ["2026-11-21", "2026-11-21", true],
  ["2027-09-01", "2027-07-31", false],
  ["2027-09-01", "2027-08-01", true],
  ["2027-09-01", "2027-06-01", false],
])("a school pass from %s asked on %s is late: %s", (startOn, today, expected) => {
  expect(isLate("07-31", startOn, today)).toBe(expected);
  expect(isLate(null, startOn, today)).toBe(false);
});
