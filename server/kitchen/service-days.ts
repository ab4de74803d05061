// The days on which a canteen serves, and why it does not on the others.
import { type RawBuilder, sql } from "kysely";
import { schoolHolidayOn, type SchoolZone } from "#contract/kitchen/school-calendar.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { addDays, daysBetween, instantOfParis, todayInParis, weekdayOf } from "#contract/days.ts";
import { type Closures, publicHolidays } from "#contract/working-days.ts";
import { type Db, opaqueParameter } from "#server/db/db.ts";

/** A service: a canteen on a day (ISO date). */
export interface Service {
  canteenId: string;
  onDay: string;
}

interface ServicePattern {
  kind: "school" | "staff";
  zone: SchoolZone;
  alsaceMoselle: boolean;
  weekdays: number;
  closings: { from: string; to: string; reason: string }[];
}

/** The calendar of a canteen: which days it serves, and the closures that its deadlines count with. */
export interface ServiceCalendar {
  /** Why it does not serve on a day (ISO date), in French; null when it does. */
  closedWhy(day: string): string | null;
  /** Closures for the rules that count working days. */
  closures: Closures;
}

/**
 * The calendars of canteens by id, with their closings from a day on, and those before it that a deadline
 * of a meal of that day may still count back through (at most 60 working days).
 */
export async function serviceCalendars(
  db: Db,
  canteenIds: readonly string[],
  from: string,
): Promise<Map<string, ServiceCalendar>> {
  return await calendarsWhere(
    db,
    sql<boolean>`c.id = any (${opaqueParameter(canteenIds, "uuid[]")})`,
    from,
  );
}

/** The same, of canteens `c` under a condition. */
export async function calendarsWhere(
  db: Db,
  condition: RawBuilder<boolean>,
  from: string,
): Promise<Map<string, ServiceCalendar>> {
  const { rows } = await sql<ServicePattern & { id: string }>`
    select c.id, c.kind, c.zone, c.alsace_moselle, c.weekdays,
      coalesce((select json_agg(json_build_object('from', k.from_on, 'to', k.to_on, 'reason', k.reason)
        order by k.from_on) from canteen_closing k
        where k.canteen_id = c.id and k.to_on >= ${opaqueParameter(from, "date")} - 200), '[]') as closings
    from canteen c where ${condition}`.execute(db);
  return new Map(rows.map(({ id, ...pattern }) => [id, calendarOf(pattern)]));
}

/** Days of service are searched for so many days ahead: longer than the summer holidays. */
const searchedDays = 120;

/** Today until its last service is over, then the next day on which a canteen serves. */
export function nextServiceDay(
  canteens: readonly OwnCanteen[],
  calendars: ReadonlyMap<string, ServiceCalendar>,
  now: Date,
): string {
  const today = todayInParis(now);
  for (let ahead = 0; ahead <= searchedDays; ahead++) {
    const day = addDays(today, ahead);
    const serving = canteens.filter(({ id }) => calendars.get(id)?.closedWhy(day) === null);
    const last = serving
      .map(({ servesUntil }) => servesUntil)
      .toSorted()
      .at(-1);
    if (last !== undefined && (ahead > 0 || now < instantOfParis(day, last))) return day;
  }
  return addDays(today, 1);
}

/**
 * The first `count` days (ISO) from one on, that one included, on which a canteen serves; fewer where not so many
 * are within 120 days.
 */
export function serviceDaysFrom(from: string, calendar: ServiceCalendar, count: number): string[] {
  const days: string[] = [];
  for (let ahead = 0; ahead <= searchedDays && days.length < count; ahead++) {
    const day = addDays(from, ahead);
    if (calendar.closedWhy(day) === null) days.push(day);
  }
  return days;
}

/** The calendar of a canteen from what is stored of it. */
export function calendarOf(pattern: ServicePattern): ServiceCalendar {
  const { alsaceMoselle, closings } = pattern;
  const days = closings.flatMap(({ from, to }) =>
    Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index)),
  );
  return {
    closedWhy: (day) => closedWhy(pattern, day),
    closures: { closed: new Set(days), alsaceMoselle },
  };
}

function closedWhy(pattern: ServicePattern, day: string): string | null {
  const { kind, zone, alsaceMoselle, weekdays, closings } = pattern;
  const holiday = publicHolidays(Number(day.slice(0, 4)), { alsaceMoselle }).get(day);
  if (holiday) return holiday;
  const closing = closings.find(({ from, to }) => from <= day && day <= to);
  if (closing) return closing.reason;
  const away = kind === "school" ? schoolHolidayOn(zone, day) : null;
  if (away) return away;
  return ((weekdays >> weekdayOf(day)) & 1) === 1 ? null : "Pas de service ce jour-là";
}
