// The forecast of a balance, and the days of its announcement.
import { expect, test } from "vitest";
import { addDays, parisDay, startOfDay } from "#contract/days.ts";
import { dailyPace, emptyOn, project } from "./projection.ts";

const today = "2026-11-21";

// proves: server-clock
test("a day begins and ends in Paris, through both changes of the clock", () => {
  expect(parisDay(new Date("2026-11-20T22:59:59Z"))).toBe("2026-11-20");
  expect(parisDay(new Date("2026-11-20T23:00:00Z"))).toBe("2026-11-21");
  expect(startOfDay("2026-11-21").toISOString()).toBe("2026-11-20T23:00:00.000Z");
  expect(startOfDay("2026-07-14").toISOString()).toBe("2026-07-13T22:00:00.000Z");
  expect(startOfDay("2026-03-29").toISOString()).toBe("2026-03-28T23:00:00.000Z");
  expect(startOfDay("2026-03-30").toISOString()).toBe("2026-03-29T22:00:00.000Z");
  expect(startOfDay("2026-10-25").toISOString()).toBe("2026-10-24T22:00:00.000Z");
  expect(startOfDay("2026-10-26").toISOString()).toBe("2026-10-25T23:00:00.000Z");
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
});

test("bookings leave on their day, then the pace of spending goes on", () => {
  const booked = [
    { on: "2026-11-23", cents: 300 },
    { on: null, cents: 100 },
  ];
  const outlook = { today, balanceCents: 1000, booked, dailyCents: 50 };
  expect(project(outlook, 5).map((point) => point.balanceCents)).toEqual([900, 600, 550, 500, 450]);
  expect(emptyOn(outlook)).toBe("2026-12-05");
});

test("a booking of the past counts today; a balance never goes below zero", () => {
  const booked = [{ on: "2026-11-01", cents: 800 }];
  const outlook = { today, balanceCents: 1000, booked, dailyCents: 150 };
  expect(project(outlook, 3).map((point) => point.balanceCents)).toEqual([50, 0, 0]);
  expect(emptyOn(outlook)).toBe("2026-11-23");
});

test("no spending, an empty wallet, or more than a year ahead: no day is told", () => {
  const still = { today, balanceCents: 1000, booked: [], dailyCents: 0 };
  expect(emptyOn(still)).toBeNull();
  expect(emptyOn({ ...still, balanceCents: 0, dailyCents: 50 })).toBeNull();
  expect(emptyOn({ ...still, dailyCents: 1 })).toBeNull();
});

test("the pace is that of an ordinary week: what is bought once does not bend it", () => {
  expect(dailyPace([1400, 1400, 1400, 1400])).toBe(200);
  expect(dailyPace([1400, 1400, 21_400, 1400])).toBe(200);
  expect(dailyPace([9800])).toBe(0);
  expect(dailyPace([700, 2100])).toBe(50);
  expect(dailyPace([])).toBe(0);
});

test("bookings in any order: the pace goes on after the last of them", () => {
  const booked = [
    { on: "2026-11-24", cents: 200 },
    { on: "2026-11-22", cents: 100 },
    { on: null, cents: 0 },
  ];
  const outlook = { today, balanceCents: 1000, booked, dailyCents: 50 };
  expect(project(outlook, 5).map((point) => point.balanceCents)).toEqual([900, 900, 700, 650, 600]);
});

test("bookings alone, or spending alone, empty a wallet too; a booking of the day counts at once", () => {
  const outlook = { today, balanceCents: 100, booked: [], dailyCents: 0 };
  expect(emptyOn({ ...outlook, booked: [{ on: "2026-12-01", cents: 100 }] })).toBe("2026-12-01");
  expect(emptyOn({ ...outlook, dailyCents: 50 })).toBe("2026-11-23");
  const booked = [{ on: today, cents: 40 }];
  expect(project({ ...outlook, booked }, 1)).toEqual([{ on: "2026-11-22", balanceCents: 60 }]);
});
