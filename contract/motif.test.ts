import { describe, expect, test } from "vitest";
import { formatMoney, parseMoney, plural } from "./french.ts";
import { weekOf } from "./weeks.ts";
import { motifOf } from "./motif.ts";

describe("the motif of a card", () => {
  test("is the same for the same number, on every call", () => {
    expect(motifOf(1_000_000_016)).toEqual(motifOf(1_000_000_016));
  });

  test("differs between numbers that follow each other", () => {
    const drawn = new Set(
      Array.from({ length: 50 }, (_, step) => motifOf(1_000_000_016 + step).rosette[0]),
    );
    expect(drawn.size).toBe(50);
  });

  test("is path data with finite coordinates, light enough for a list of cards", () => {
    const { rosette, ribbon } = motifOf(2_000_000_014);
    for (const curve of [...rosette, ...ribbon]) expect(curve).toMatch(/^M[-\d. MQZ]+$/);
    expect([...rosette, ...ribbon].join("").length).toBeLessThan(40_000);
  });
});

describe("amounts as they are written and typed", () => {
  test("narrow no-break spaces, a real minus, a plus only when asked", () => {
    expect(formatMoney(123_450)).toBe("1\u202f234,50\u202f€");
    expect(formatMoney(-345)).toBe("\u2212\u202f3,45\u202f€");
    expect(formatMoney(500, { signed: true })).toBe("+\u202f5,00\u202f€");
    expect(formatMoney(0, { signed: true })).toBe("0,00\u202f€");
  });

  test.each([
    ["12", 1200],
    ["12,5", 1250],
    ["12.50 €", 1250],
    ["1\u202f234,05", 123_405],
    ["0,01", 1],
    ["", null],
    ["12,345", null],
    ["-5", null],
    ["douze", null],
  ])("%s is %s cents", (typed, cents) => {
    expect(parseMoney(typed)).toBe(cents);
  });

  test("what is written is read back", () => {
    for (const cents of [1, 99, 100, 1999, 100_000, 9_999_999]) {
      expect(parseMoney(formatMoney(cents))).toBe(cents);
    }
  });

  test("French counts zero and one alike", () => {
    expect([plural(0, "billet"), plural(1, "billet"), plural(2, "billet")]).toEqual([
      "0 billet",
      "1 billet",
      "2 billets",
    ]);
  });
});

test.each([
  ["2026-01-01T12:00:00Z", 1],
  ["2027-01-03T12:00:00Z", 53],
  ["2027-01-04T12:00:00Z", 1],
  ["2026-11-21T12:00:00Z", 47],
])("the week of %s is %s: Monday first, the one of 4 January is the first", (day, week) => {
  expect(weekOf(day)).toBe(week);
});
