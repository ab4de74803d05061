// Days, weeks, months and public holidays, against slow and obvious ways to count them.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as days from "./days.ts";
import { isoWeek } from "./weeks.ts";
import * as workingDays from "./working-days.ts";

const firstMs = Date.UTC(1999, 11, 27);
/** Every day from 1999-12-27, a Monday, to the end of 2040, by counting one after the other. */
const calendar = Array.from({ length: 14_980 }, (_, index) =>
  new Date(firstMs + index * 86_400_000).toISOString().slice(0, 10),
);
const index = fc.integer({ min: 0, max: calendar.length - 1 });
const at = (place: number): string => calendar[place] as string;

test("addDays and daysBetween count places of the calendar", () => {
  fc.assert(
    fc.property(index, index, (from, to) => {
      expect(days.addDays(at(from), to - from)).toBe(at(to));
      expect(days.daysBetween(at(from), at(to))).toBe(to - from);
    }),
  );
  expect(days.addDays("2028-02-28", 1)).toBe("2028-02-29");
});

test("parisDay, startOfDay and instantOfParis agree through every change of the clock", () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const changes = calendar.filter((day) => /-(03|10)-(2[5-9]|3[01])$/.test(day));
  fc.assert(
    fc.property(fc.oneof(index.map(at), fc.constantFrom(...changes)), minute, (day, minutes) => {
      const [hour, rest] = [Math.floor(minutes / 60), minutes % 60];
      const time = `${String(hour).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
      const instant = days.instantOfParis(day, time);
      const clockTime = instant
        .toLocaleTimeString("fr-FR", { timeZone: "Europe/Paris" })
        .slice(0, 5);
      const lastSunday = /-03-(2[5-9]|3[01])$/.test(day) && days.weekDays(day)[6] === day;
      const isGap = lastSunday && hour === 2;
      expect(clockTime).toBe(isGap ? `03:${time.slice(3)}` : time);
      expect(days.parisDay(instant)).toBe(day);
      const start = days.startOfDay(day);
      expect(days.parisDay(start)).toBe(day);
      expect(days.parisDay(new Date(start.getTime() - 1))).toBe(days.addDays(day, -1));
    }),
    { numRuns: 500 },
  );
});

test("instantOfParis: a skipped time is an hour later, a time that comes twice is the first", () => {
  expect(days.instantOfParis("2026-03-29", "02:30").toISOString()).toBe("2026-03-29T01:30:00.000Z");
  expect(days.instantOfParis("2026-03-29", "03:30").toISOString()).toBe("2026-03-29T01:30:00.000Z");
  expect(days.instantOfParis("2026-10-25", "02:30").toISOString()).toBe("2026-10-25T00:30:00.000Z");
  expect(days.instantOfParis("2026-10-25", "03:00").toISOString()).toBe("2026-10-25T02:00:00.000Z");
});

test("weeks: Monday first, the first of a year holds 4 January, 52 or 53 of them", () => {
  // Walks the calendar from a Monday: a week takes the number 1 when 4 January is in it.
  let [year, week] = [1999, 51];
  for (let monday = 0; monday + 6 < calendar.length; monday += 7) {
    const whole = calendar.slice(monday, monday + 7);
    const fourth = whole.find((day) => day.endsWith("-01-04"));
    if (fourth) [year, week] = [Number(fourth.slice(0, 4)), 1];
    else week += 1;
    const numbers = new Set(whole.map((day) => JSON.stringify(isoWeek(day))));
    expect([...numbers]).toEqual([JSON.stringify({ year, week })]);
    expect(new Set(whole.map(days.startOfWeek))).toEqual(new Set([whole[0]]));
    expect(whole.filter(workingDays.isWeekend)).toEqual(whole.slice(5));
    expect(days.weekDays(whole[3] as string)).toEqual(whole);
  }
  expect(isoWeek("2026-12-31")).toEqual({ year: 2026, week: 53 });
  expect(isoWeek("2027-01-03")).toEqual({ year: 2026, week: 53 });
});

test("months: the same day, or the last of a month that is too short", () => {
  fc.assert(
    fc.property(index, fc.integer({ min: -200, max: 200 }), (place, count) => {
      const day = at(place);
      const later = days.addMonths(day, count);
      const months = (one: string) => Number(one.slice(0, 4)) * 12 + Number(one.slice(5, 7));
      expect(months(later)).toBe(months(day) + count);
      const isLast = days.addDays(later, 1).endsWith("-01");
      expect(later.slice(8) === day.slice(8) || (isLast && later.slice(8) < day.slice(8))).toBe(
        true,
      );
      expect(days.firstOfMonth(day, count)).toBe(`${later.slice(0, 8)}01`);
      if (count >= 0) expect(days.monthsBegun(day, later)).toBe(count + 1);
    }),
  );
  expect(days.addMonths("2027-12-31", 2)).toBe("2028-02-29");
  expect(days.schoolYearEnd("2026-08-31")).toBe("2026-08-31");
  expect(days.schoolYearEnd("2026-09-01")).toBe("2027-08-31");
});

test("public holidays: those of the published calendars, with Easter where it is", () => {
  expect([...workingDays.publicHolidays(2026).keys()]).toEqual([
    "2026-01-01",
    "2026-04-06",
    "2026-05-01",
    "2026-05-08",
    "2026-05-14",
    "2026-05-25",
    "2026-07-14",
    "2026-08-15",
    "2026-11-01",
    "2026-11-11",
    "2026-12-25",
  ]);
  const mondays = [2000, 2008, 2011, 2019, 2024, 2025, 2027, 2038, 2049].map(
    (year) =>
      [...workingDays.publicHolidays(year)].find(([, name]) => name === "Lundi de Pâques")?.[0],
  );
  expect(mondays).toEqual([
    "2000-04-24",
    "2008-03-24",
    "2011-04-25",
    "2019-04-22",
    "2024-04-01",
    "2025-04-21",
    "2027-03-29",
    "2038-04-26",
    "2049-04-19",
  ]);
  expect(workingDays.publicHolidays(2026).has("2026-04-03")).toBe(false);
  const alsace = workingDays.publicHolidays(2026, { alsaceMoselle: true });
  expect([alsace.get("2026-04-03"), alsace.get("2026-12-26")]).toEqual([
    "Vendredi saint",
    "Saint-Étienne",
  ]);
});

test("Easter Monday is a Monday from 23 March to 26 April, every year", () => {
  for (let year = 1900; year < 2200; year += 1) {
    const monday = [...workingDays.publicHolidays(year).keys()][1] as string;
    expect(days.startOfWeek(monday)).toBe(monday);
    expect(monday >= `${year}-03-23` && monday <= `${year}-04-26`).toBe(true);
  }
});

test("working days: each is the first after the one before, closures and holidays left out", () => {
  const closures = { closed: new Set(["2026-12-24", "2026-12-28"]) };
  expect(workingDays.nextWorkingDay("2026-12-23", closures)).toBe("2026-12-29");
  expect(workingDays.workingDaysBefore("2026-12-29", 2, closures)).toBe("2026-12-22");
  fc.assert(
    fc.property(index, fc.integer({ min: 1, max: 30 }), (place, count) => {
      let later = at(place);
      for (let step = 0; step < count; step += 1) later = workingDays.nextWorkingDay(later);
      expect(workingDays.isWorkingDay(later)).toBe(true);
      const span = Array.from({ length: days.daysBetween(at(place), later) }, (_, step) =>
        days.addDays(at(place), step + 1),
      );
      expect(span.filter((day) => workingDays.isWorkingDay(day))).toHaveLength(count);
      const back = workingDays.workingDaysBefore(later, count);
      expect(back <= at(place)).toBe(true);
      expect(workingDays.nextWorkingDay(days.addDays(back, -1))).toBe(back);
    }),
  );
});
