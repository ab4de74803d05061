// Deadlines of meals against a slow and obvious computation: a calendar of ten years counted day by day,
// Easter copied from a table, Paris time from the European rule, and a search back in time, minute by minute.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Deadline, deadline, deadlineOf } from "./deadlines.ts";

const minuteMs = 60_000;
const firstMs = Date.UTC(2025, 0, 1);
/** Every day of 2025 to 2035, by counting. */
const calendar = Array.from({ length: 4017 }, (_, index) =>
  new Date(firstMs + index * 1440 * minuteMs).toISOString().slice(0, 10),
);
/** Ten years of meals: the days before them leave room for deadlines in the past. */
const meals = calendar.filter((day) => day >= "2026" && day < "2036");
/** 1 January 2025 was a Wednesday. */
const weekdayAt = (place: number) => (place + 2) % 7;

// The Easter Mondays of the tables of the bureau des longitudes.
const easterMondays = `2025-04-21 2026-04-06 2027-03-29 2028-04-17 2029-04-02 2030-04-22 2031-04-14
  2032-03-29 2033-04-18 2034-04-10 2035-03-26`.split(/\s+/);
const places = new Map(calendar.map((day, place) => [day, place]));
const placeOf = (day: string) => places.get(day) as number;
const movable = (after: number) =>
  easterMondays.map((day) => calendar[placeOf(day) + after] as string);
const fixed = "01-01 05-01 05-08 07-14 08-15 11-01 11-11 12-25".split(" ");
const everywhere = new Set([...movable(0), ...movable(38), ...movable(49)]);
const inAlsace = new Set(movable(-3));

interface Closed {
  closed: ReadonlySet<string>;
  alsaceMoselle: boolean;
}
function isWorked(place: number, { closed, alsaceMoselle }: Closed): boolean {
  const day = calendar[place] as string;
  if (weekdayAt(place) >= 5 || closed.has(day)) return false;
  if (fixed.includes(day.slice(5)) || everywhere.has(day)) return false;
  return !(alsaceMoselle && (inAlsace.has(day) || day.endsWith("12-26")));
}

/** Summer time from the last Sunday of March to the last of October, at 01:00 UTC (directive 2000/84). */
const summers = calendar
  .filter((day, place) => weekdayAt(place) === 6 && /-(03|10)-(2[5-9]|3[01])$/.test(day))
  .map((day) => Date.parse(`${day}T01:00:00Z`));
const cachedOffsets = new Map<number, number>();
function offsetAt(ms: number): number {
  const hour = Math.floor(ms / (60 * minuteMs));
  const known = cachedOffsets.get(hour);
  if (known !== undefined) return known;
  const changes = summers.filter((change) => change <= ms).length;
  const offset = (changes % 2 === 1 ? 120 : 60) * minuteMs;
  cachedOffsets.set(hour, offset);
  return offset;
}
/** Paris time at an instant, as if it were a time of UTC. */
const shownAt = (ms: number) => ms + offsetAt(ms);

/** The first instant at which Paris time is a given time of a day; for a skipped one, an hour later. */
function firstShowing(day: string, time: string): number {
  const target = Date.parse(`${day}T${time}:00Z`);
  let ms = target - 180 * minuteMs;
  while (shownAt(ms) < target) ms += minuteMs;
  if (shownAt(ms) === target) return ms;
  while (shownAt(ms) < target + 60 * minuteMs) ms += minuteMs;
  return ms;
}

interface Meal {
  day: string;
  servesFrom: string;
}

/** The day of a rule's deadline, found by checking the days before the meal one by one. */
function obviousDay(rule: Deadline, mealDay: string, closed: Closed): string {
  let place = placeOf(mealDay);
  if (rule.kind === "days_before") {
    for (let left = rule.days; left > 0;) {
      place -= 1;
      if (!rule.workingDays || isWorked(place, closed)) left -= 1;
    }
  }
  if (rule.kind === "weekday_before") {
    for (let mondays = weekdayAt(place) === 0 ? 1 : 0; mondays <= rule.weeks;) {
      place -= 1;
      if (weekdayAt(place) === 0) mondays += 1;
    }
    while (weekdayAt(place) !== rule.weekday) place += 1;
  }
  if (rule.kind === "month_day_before") {
    const monthOf = () => calendar[place]?.slice(0, 7);
    while (monthOf() === mealDay.slice(0, 7)) place -= 1;
    while (Number(calendar[place]?.slice(8)) > rule.day) place -= 1;
  }
  return calendar[place] as string;
}

function obvious(rule: Deadline, meal: Meal, closed: Closed): number | null {
  const service = firstShowing(meal.day, meal.servesFrom);
  if (rule.kind === "none") return service;
  if (rule.kind === "never") return null;
  return Math.min(service, firstShowing(obviousDay(rule, meal.day, closed), rule.at));
}

const time = fc
  .integer({ min: 0, max: 1439 })
  .map((minutes) => new Date(minutes * minuteMs).toISOString().slice(11, 16));
const rules = fc.oneof(
  fc.record({
    kind: fc.constant("days_before" as const),
    days: fc.integer({ min: 0, max: 60 }),
    workingDays: fc.boolean(),
    at: time,
  }),
  fc.record({
    kind: fc.constant("weekday_before" as const),
    weeks: fc.integer({ min: 1, max: 8 }),
    weekday: fc.integer({ min: 0, max: 6 }),
    at: time,
  }),
  fc.record({
    kind: fc.constant("month_day_before" as const),
    day: fc.integer({ min: 1, max: 31 }),
    at: time,
  }),
);
// Closings of some days each, as a desk writes them; some last for weeks.
const closings = fc
  .array(fc.tuple(fc.constantFrom(...calendar), fc.integer({ min: 1, max: 40 })), { maxLength: 40 })
  .map((spans) =>
    spans.flatMap(([day, count]) => calendar.slice(placeOf(day), placeOf(day) + count)),
  )
  .map((days) => new Set(days));
const closures = fc.record({ closed: closings, alsaceMoselle: fc.boolean() });
const none: Closed = { closed: new Set(), alsaceMoselle: false };

test("deadlineOf: any rule, any meal of ten years, any closings", () => {
  const meal = fc.record({ day: fc.constantFrom(...meals), servesFrom: time });
  fc.assert(
    fc.property(rules, meal, closures, (rule, eaten, closed) => {
      expect(deadlineOf(rule, eaten, closed)?.getTime()).toBe(obvious(rule, eaten, closed));
    }),
    { numRuns: 3000 },
  );
});

test("deadlineOf: every single day of ten years, under rules that a canteen would set", () => {
  const usual: Deadline[] = [
    { kind: "none" },
    { kind: "days_before", days: 1, workingDays: true, at: "10:00" },
    { kind: "days_before", days: 0, workingDays: false, at: "09:00" },
    { kind: "days_before", days: 1, workingDays: false, at: "02:30" },
    { kind: "weekday_before", weeks: 1, weekday: 3, at: "12:00" },
    { kind: "month_day_before", day: 31, at: "23:59" },
  ];
  const wrong: string[] = [];
  for (const day of meals) {
    for (const rule of usual) {
      const meal = { day, servesFrom: "11:45" };
      const until = deadlineOf(rule, meal, none)?.getTime();
      if (until !== obvious(rule, meal, none)) wrong.push(`${day} ${JSON.stringify(rule)}`);
    }
  }
  expect(wrong).toEqual([]);
});

const at = (rule: Deadline, day: string, closed: Partial<Closed> = {}) =>
  deadlineOf(rule, { day, servesFrom: "11:45" }, closed)?.toISOString() ?? null;
const eve = { kind: "days_before", days: 1, workingDays: true, at: "10:00" } as const;

test("deadlineOf: a Tuesday after Easter is ordered on the Thursday before, in Alsace-Moselle too", () => {
  expect(at(eve, "2026-04-07")).toBe("2026-04-03T08:00:00.000Z");
  expect(at(eve, "2026-04-07", { alsaceMoselle: true })).toBe("2026-04-02T08:00:00.000Z");
  const closed = new Set(["2026-04-02"]);
  expect(at(eve, "2026-04-07", { alsaceMoselle: true, closed })).toBe("2026-04-01T08:00:00.000Z");
});

test("deadlineOf: the same hour on the clock on both sides of a change of the clock", () => {
  const calendarEve: Deadline = { ...eve, workingDays: false };
  expect(at(calendarEve, "2026-03-29")).toBe("2026-03-28T09:00:00.000Z");
  expect(at(calendarEve, "2026-03-30")).toBe("2026-03-29T08:00:00.000Z");
  expect(at(calendarEve, "2026-10-26")).toBe("2026-10-25T09:00:00.000Z");
  expect(at(calendarEve, "2026-10-25")).toBe("2026-10-24T08:00:00.000Z");
  // 02:30 is skipped in March and comes twice in October.
  const night: Deadline = { ...calendarEve, at: "02:30" };
  expect(at(night, "2026-03-30")).toBe("2026-03-29T01:30:00.000Z");
  expect(at(night, "2026-10-26")).toBe("2026-10-25T00:30:00.000Z");
});

test("deadlineOf: a month too short ends on its last day", () => {
  const last: Deadline = { kind: "month_day_before", day: 31, at: "18:00" };
  expect(at(last, "2027-03-15")).toBe("2027-02-28T17:00:00.000Z");
  expect(at(last, "2028-03-15")).toBe("2028-02-29T17:00:00.000Z");
  expect(at(last, "2027-01-15")).toBe("2026-12-31T17:00:00.000Z");
});

test("deadlineOf: never after the service began, and never at all", () => {
  const late: Deadline = { kind: "days_before", days: 0, workingDays: false, at: "20:00" };
  expect(at(late, "2026-06-01")).toBe("2026-06-01T09:45:00.000Z");
  expect(at({ kind: "none" }, "2026-12-01")).toBe("2026-12-01T10:45:00.000Z");
  expect(at({ kind: "never" }, "2026-12-01")).toBeNull();
});

test("deadline: hours that no clock shows and numbers beyond reason are refused", () => {
  const accepts = (rule: unknown) => deadline.safeParse(rule).success;
  expect(accepts(eve)).toBe(true);
  expect(accepts({ ...eve, at: "24:00" })).toBe(false);
  expect(accepts({ ...eve, days: 61 })).toBe(false);
  expect(accepts({ kind: "weekday_before", weeks: 0, weekday: 0, at: "10:00" })).toBe(false);
  expect(accepts({ kind: "month_day_before", day: 32, at: "10:00" })).toBe(false);
});
