// For tests that fix their today once, at the top of the file: the day must not change while they run.
import { setTimeout } from "node:timers/promises";
import { addDays, startOfDay, todayInParis } from "#contract/days.ts";

const enoughMs = 120_000;

/** Waits for the next day in Paris where less than two minutes are left of this one. */
export async function avoidMidnight(): Promise<void> {
  const left = startOfDay(addDays(todayInParis(), 1)).getTime() - Date.now();
  if (left < enoughMs) await setTimeout(left + 1000);
}
