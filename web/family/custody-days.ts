// Days, weeks and months of the custody calendar, and how the two guardians are called in it.
import type { CustodyView } from "#contract/family/custody.ts";
import { firstName } from "#contract/french.ts";

type Day = CustodyView["days"][number];

/** The weeks of a calendar, Monday first. */
export const weeksOf = (days: readonly Day[]): Day[][] =>
  Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));

/** The week that holds a day, empty when the calendar does not. */
export const weekDaysOf = (days: readonly Day[], on: string): Day[] =>
  weeksOf(days).find((week) => week.some((day) => day.on === on)) ?? [];

/** The month that a calendar is of: its second week is in no other. */
export const monthOf = (days: readonly Day[]): string => days[10]?.on.slice(0, 7) ?? "";

export function monthAfter(month: string, count: number): string {
  const date = new Date(`${month}-15T12:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return date.toISOString().slice(0, 7);
}

const monthNames = new Intl.DateTimeFormat("fr-FR", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
/** « novembre 2026 ». */
export const monthName = (month: string): string =>
  monthNames.format(new Date(`${month}-15T12:00:00Z`));

/** First names, with as many words more as tell the guardians apart. */
export function calledOf(guardians: CustodyView["guardians"]): string[] {
  const names = guardians.map(({ name }) => name);
  return names.map((name) => firstName(name, names));
}
