// Calendar days as ISO dates (YYYY-MM-DD), as they are in France: an instant belongs to its day in
// Paris, whatever the time zone of the machine. Weeks begin on Monday (spec §9).
import { passes, spec } from "./limits.ts";

/**
 * The milliseconds of 24 hours. Days of the calendar are counted by `addDays`: two of a year are longer or
 * shorter.
 */
export const dayMs = 86_400_000;
const parisCalendar = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" });
const parisClock = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Europe/Paris",
  dateStyle: "short",
  timeStyle: "short",
});

// A calendar of the world takes longer than most answers need to be written; clocks change at full hours
// only.
const hourMs = 3_600_000;
let lastHour: { hour: number; day: string } | undefined;

/** The day in Paris of an instant. */
export function parisDay(instant: Date): string {
  const hour = Math.floor(instant.getTime() / hourMs);
  if (lastHour?.hour !== hour) lastHour = { hour, day: parisCalendar.format(instant) };
  return lastHour.day;
}

/** What clocks in Paris show at an instant (HH:mm). */
export const parisTime = (instant: Date): string => parisClock.format(instant).slice(-5);

/** Today in Paris. */
export const todayInParis = (now = new Date()): string => parisDay(now);

/**
 * The instant at which clocks in Paris show `time` (HH:mm) on a day. A time skipped in March is an hour
 * later (02:30 is 03:30); of a time that comes twice in October it is the first, in summer time.
 */
export function instantOfParis(day: string, time: string): Date {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const summer = new Date(wall - 2 * 3_600_000);
  return parisClock.format(summer) === `${day} ${time}` ? summer : new Date(wall - 3_600_000);
}

/** The instant at which a day begins in Paris; clocks never change at midnight there. */
export const startOfDay = (day: string): Date => instantOfParis(day, "00:00");

const noon = (day: string): number => Date.parse(`${day}T12:00:00Z`);
const dayOf = (utcMs: number): string => new Date(utcMs).toISOString().slice(0, 10);

/** The day `count` days after, before when negative. */
export const addDays = (day: string, count: number): string => dayOf(noon(day) + count * dayMs);

/** Days from one day to another, negative when `to` comes first; 0 on the same day. */
export const daysBetween = (from: string, to: string): number => (noon(to) - noon(from)) / dayMs;

/** The same day `count` months later; the last one of a month that is too short. */
export function addMonths(day: string, count: number): string {
  const first = firstOfMonth(day, count);
  const last = addDays(firstOfMonth(first, 1), -1);
  const same = `${first.slice(0, 8)}${day.slice(8)}`;
  return same < last ? same : last;
}

/** The first day of the month `ahead` months after the one of a day. */
export function firstOfMonth(day: string, ahead = 0): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return dayOf(Date.UTC(year, month - 1 + ahead, 1));
}

/** Months from one day to another, those begun counted whole. */
export function monthsBegun(from: string, to: string): number {
  const monthNumber = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return monthNumber(to) - monthNumber(from) + 1;
}

/** The 31 August that ends the school year of a day. */
export function schoolYearEnd(day: string): string {
  const year = Number(day.slice(0, 4));
  return `${day.slice(5) > passes.schoolEnd ? year + 1 : year}-${passes.schoolEnd}`;
}

/** 0 on Monday, 6 on Sunday. */
export const weekdayOf = (day: string): number =>
  (new Date(noon(day)).getUTCDay() + 7 - spec.firstDayOfWeek) % 7;

/** The Monday of the week of a day. */
export const startOfWeek = (day: string): string => addDays(day, -weekdayOf(day));

/** The seven days of the week of a day, Monday first. */
export const weekDays = (day: string): string[] =>
  Array.from({ length: 7 }, (_, index) => addDays(startOfWeek(day), index));
