// The one meal that the demo's family has not ordered: its younger child usually eats that day, and its guardian was
// reminded of it.
import { addDays, instantOfParis, todayInParis, weekdayOf } from "#contract/days.ts";
import { workingDaysBefore } from "#contract/working-days.ts";
import { isSchoolDay } from "./menus.ts";

/** Weekdays of the demo's schools, Monday being 0. */
export const schoolWeekdays = [0, 1, 3, 4] as const;

/** Days that are searched: meals are booked for as many. */
const daysAhead = 10;

/** The next meal of the school that can still be ordered (ISO date), and until when; null in the holidays. */
export function nextMealToOrder(now: Date): { day: string; until: Date } | null {
  const weekdays: ReadonlySet<number> = new Set(schoolWeekdays);
  for (let ahead = 1; ahead <= daysAhead; ahead++) {
    const day = addDays(todayInParis(now), ahead);
    const until = instantOfParis(workingDaysBefore(day, 1), "10:00");
    if (weekdays.has(weekdayOf(day)) && isSchoolDay({ day }) && until > now) return { day, until };
  }
  return null;
}
