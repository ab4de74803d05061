// The number of a week: apart from days.ts because the first screen has no use for it.
import { addDays, daysBetween, parisDay, startOfWeek } from "./days.ts";
import type { Moment } from "./french.ts";
import { spec } from "./limits.ts";

/** Number of the week, from 1 to 53, and the year it counts in: week 1 holds 4 January (spec §9). */
export function isoWeek(day: string): { year: number; week: number } {
  const monday = startOfWeek(day);
  // The Thursday of a week is in the year that the week belongs to.
  const year = addDays(monday, 3).slice(0, 4);
  const first = startOfWeek(`${year}-01-${String(spec.firstWeekContainsDay).padStart(2, "0")}`);
  return { year: Number(year), week: 1 + daysBetween(first, monday) / 7 };
}

/** Number of the week: weeks start on Monday and the first one holds 4 January (spec §9). */
export const weekOf = (moment: Moment): number => isoWeek(parisDay(new Date(moment))).week;
