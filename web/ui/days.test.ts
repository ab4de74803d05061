import { expect, test } from "vitest";
import { addMonths, dayFault, isDay, maskDay, parseDay, weekdayOf, weeksOf } from "./days.ts";

const today = "2026-11-22";
const parse = (text: string) => parseDay(text, today);

test("a day is read in the French order, however it is separated", () => {
  for (const text of ["03/04/2026", "3/4/26", "3-4-2026", "3.4.26", " 3 / 4 / 2026 ", "03042026"])
    expect(parse(text), text).toBe("2026-04-03");
  expect(parse("030426")).toBe("2026-04-03");
  expect(parse("2026-04-03")).toBe("2026-04-03");
  // Never month first, as an English browser would.
  expect(parse("12/31/2026")).toBeNull();
});

test("two digits of a year are the nearest century that makes sense", () => {
  expect(parse("1/1/46")).toBe("2046-01-01");
  expect(parse("1/1/47")).toBe("1947-01-01");
  expect(parse("4/5/90")).toBe("1990-05-04");
  expect(parseDay("3/4/20", today, true)).toBeNull();
  expect(parseDay("3/4/2026", today, true)).toBe("2026-04-03");
});

test("a day that does not exist is no day", () => {
  for (const text of ["31/02/2026", "29/02/2025", "00/01/2026", "1/13/2026", "demain", "3/4", ""])
    expect(parse(text), text).toBeNull();
  expect(parse("29/02/2028")).toBe("2028-02-29");
  expect(isDay("2026-02-30")).toBe(false);
  expect(isDay("2026-11-22")).toBe(true);
});

test("slashes come as one types, and stay away when one deletes", () => {
  let text = "";
  for (const key of "03042026") text = maskDay(text, text + key);
  expect(text).toBe("03/04/2026");
  text = "";
  for (const key of "3/4/26") text = maskDay(text, text + key);
  expect(text).toBe("3/4/26");
  expect(maskDay("03/", "03//")).toBe("03/");
  expect(maskDay("03/", "03")).toBe("03");
  expect(maskDay("", "le 3.4.2026")).toBe(" 3.4.2026");
});

test("what is wrong with a date is said with the dates that are right", () => {
  const missing = "Indiquez la date.";
  expect(dayFault("", { missing })).toBe(missing);
  expect(dayFault("")).toBe(false);
  expect(dayFault("31/02/2026")).toContain("n’existe pas");
  expect(dayFault("2026-04-03", { min: "2026-04-04" })).toBe(
    "Choisissez une date à partir du 04/04/2026.",
  );
  expect(dayFault("2026-04-03", { max: "2026-04-02" })).toBe(
    "Choisissez une date jusqu’au 02/04/2026.",
  );
  expect(dayFault("2026-04-03", { min: "2026-05-01", max: "2026-05-31" })).toBe(
    "Choisissez une date du 01/05/2026 au 31/05/2026.",
  );
  expect(dayFault("2026-04-03", { min: "2026-04-03", max: "2026-04-03" })).toBe(false);
});

test("a month begins on its weekday, Monday first, and a shorter month ends earlier", () => {
  // 1 April 2026 is a Wednesday.
  expect(weekdayOf("2026-04-01")).toBe(2);
  const weeks = weeksOf("2026-04-17");
  expect(weeks).toHaveLength(5);
  expect(weeks[0]).toEqual([
    null,
    null,
    "2026-04-01",
    "2026-04-02",
    "2026-04-03",
    "2026-04-04",
    "2026-04-05",
  ]);
  expect(weeks[4]?.slice(0, 5)).toEqual([
    "2026-04-27",
    "2026-04-28",
    "2026-04-29",
    "2026-04-30",
    null,
  ]);
  expect(addMonths("2026-01-31", 1)).toBe("2026-02-28");
  expect(addMonths("2026-01-15", -1)).toBe("2025-12-15");
  expect(addMonths("2028-02-29", 12)).toBe("2029-02-28");
});
