import { expect, test } from "vitest";
import { byHalf, dayAfter, dayOf, leavesIn } from "./words.ts";

const now = Date.parse("2026-11-21T17:50:20Z");
const told = (at: string, from = now) => leavesIn(at, from).replaceAll("\u00a0", " ");

test("a departure is told as riders say it, in the time of Paris", () => {
  expect(told("2026-11-21T17:50:59Z")).toBe("maintenant");
  expect(told("2026-11-21T17:54:30Z")).toBe("dans 4 min");
  expect(told("2026-11-21T18:50:10Z")).toBe("dans 59 min");
  expect(told("2026-11-21T18:51:00Z")).toBe("19:51");
  expect(told("2026-11-22T00:30:00Z")).toBe("cette nuit 01:30");
  expect(told("2026-11-22T05:12:00Z")).toBe("demain 06:12");
  expect(told("2026-11-23T05:12:00Z")).toBe("lundi 06:12");
  expect(told("2026-11-28T05:12:00Z")).toBe("28/11/2026 06:12");
  // At ten in the morning the small hours of the next day are tomorrow's.
  expect(told("2026-11-22T00:30:00Z", Date.parse("2026-11-21T09:00:00Z"))).toBe("demain 01:30");
});

test("days: the one of Paris, the next ones over a month's end, their names", () => {
  expect(dayOf(new Date("2026-11-21T23:30:00Z"))).toBe("2026-11-22");
  expect(dayAfter("2026-12-31", 1)).toBe("2027-01-01");
});

test("a day's departures by half and hour, as PD and MD; past midnight is a PD of its own", () => {
  const times = ["06:05", "06:35", "11:00", "23:10"].map((time) => `2026-11-21T${time}:00Z`);
  expect(byHalf(times)).toEqual([
    { half: "PD", hours: [{ hour: "07", minutes: ["05", "35"] }] },
    { half: "MD", hours: [{ hour: "12", minutes: ["00"] }] },
    { half: "PD", hours: [{ hour: "00", minutes: ["10"] }] },
  ]);
});
