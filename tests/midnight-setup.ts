// Before each test file, in its worker: tests fix their today once, so the day in Paris does not change
// while a file runs.
import { setTimeout } from "node:timers/promises";
import { addDays, startOfDay, todayInParis } from "#contract/days.ts";

/** Longer than the slowest file of CI takes from its first test to its last. */
const enoughMs = 6 * 60_000;

const leftMs = startOfDay(addDays(todayInParis(), 1)).getTime() - Date.now();
if (leftMs < enoughMs) {
  console.info(`Waits ${Math.ceil(leftMs / 1000)} s: the day ends in Paris.`);
  await setTimeout(leftMs + 1000);
}
