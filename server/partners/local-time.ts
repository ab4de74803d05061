// The time of Paris, in which opening hours are defined.
import { parisDay, parisTime, weekdayOf } from "#contract/days.ts";
import type { Local } from "./opening.ts";

/** The wall clock of Paris. */
export function localAt(now: Date): Local {
  const day = parisDay(now);
  return { day, time: parisTime(now), weekday: weekdayOf(day) + 1 };
}
