// When it is worth saying that a wallet runs out.
import { dayMs } from "#contract/days.ts";

const emptySoonMs = 7 * dayMs;

/** Whether a wallet runs out within a week; `emptyOn` is a day (YYYY-MM-DD), null where it does not. */
export const isEmptySoon = (emptyOn: string | null, now = new Date()): emptyOn is string =>
  emptyOn !== null && Date.parse(emptyOn) - now.getTime() < emptySoonMs;
