// The day on which the screens of a canteen open, whether a service is under way, and for how long after it
// meals are served.
import { addDays, daysBetween, instantOfParis, parisDay, parisTime, weekdayOf } from "../days.ts";
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

/** The services of a canteen: their hours (HH:mm in Paris), and the next days (ISO) on which it serves. */
export interface ServiceTimes extends Pick<OwnCanteen, "servesFrom" | "servesUntil"> {
  serviceDays: readonly string[];
}

/** Whether a service is under way at an instant: from its first minute until its last has begun. */
export function isServing(
  { servesFrom, servesUntil, serviceDays }: ServiceTimes,
  now: Date,
): boolean {
  const time = parisTime(now);
  return serviceDays.includes(parisDay(now)) && servesFrom <= time && time < servesUntil;
}

/** The day (ISO) of the next service that begins after an instant; null where none is known. */
export const nextServiceAfter = (
  { servesFrom, serviceDays }: ServiceTimes,
  now: Date,
): string | null => serviceDays.find((day) => now < instantOfParis(day, servesFrom)) ?? null;

/** Whether a day (both ISO dates) is so long past that nobody is charged for a meal of it any more. */
export const isServedTooLate = (day: string, today: string): boolean =>
  daysBetween(day, today) > canteen.servedLateDays;
