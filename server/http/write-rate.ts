// Rate limit of one person's calls to a row that writes and names no rate of its own (`rate` of a row). Each
// process counts for itself, in memory, in windows of a minute: the limit keeps a program from flooding, and
// costs no query.
import { Problem } from "#contract/errors.ts";

const windowMs = 60_000;

/**
 * Counts calls in windows that begin together; `nowMs` is a monotonic clock. The function that it returns
 * refuses `too_many_requests` {seconds, wait} beyond `max` calls of one person to one row.
 */
export function countWrites(
  max: number,
  nowMs: () => number = () => performance.now(),
): (row: string, personId: number) => void {
  let counts = new Map<string, number>();
  let endsMs = 0;
  return (row, personId) => {
    const now = nowMs();
    if (now >= endsMs) {
      counts = new Map();
      endsMs = now + windowMs;
    }
    const key = `${row}:${personId}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= max) return;
    const seconds = Math.ceil((endsMs - now) / 1000);
    throw new Problem("too_many_requests", { seconds, wait: `${seconds} s` });
  };
}
