// The day on which the screens of a canteen open, and for how long after it meals are served.
import { addDays, daysBetween, weekdayOf } from "../days.ts";
import { canteen } from "../limits.ts";
import type { OwnCanteen } from "./own.ts";

/** The first day from one on, that very day included, on which one of some canteens serves. */
export function serviceDayFrom(
  day: string,
  canteens: readonly Pick<OwnCanteen, "weekdays">[],
): string {
  const week = Array.from({ length: 7 }, (_, ahead) => addDays(day, ahead));
  const served = (one: string) =>
    canteens.some(({ weekdays }) => weekdays.includes(weekdayOf(one)));
  return week.find(served) ?? day;
}

/** Whether a day (both ISO dates) is so long past that nobody is charged for a meal of it any more. */
export const isServedTooLate = (day: string, today: string): boolean =>
  daysBetween(day, today) > canteen.servedLateDays;
