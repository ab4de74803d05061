// When a bus leaves, told after another one; the timetable of a day in the words of the specification.
import { formatTime, meridiemOf } from "#contract/french.ts";
import type { Departure } from "#contract/transit/rows.ts";
import { dayWord } from "#web/app/shared/leaves-in.ts";

/** « 08:24 », « demain 06:12 »: told after `before`, whose day is not repeated. */
export const leavesAfter = (at: string, before: string, nowMs: number): string =>
  dayWord(at, nowMs) === dayWord(before, nowMs)
    ? formatTime(at)
    : `${dayWord(at, nowMs)} ${formatTime(at)}`;

interface Hour {
  hour: string;
  minutes: { minute: string; endsAt: string | null; onRequest: boolean }[];
}

/**
 * Departures of a day in their order, by half of the day (PD, MD: spec §9) and hour: « 08 » with its
 * minutes. What rides past midnight stands in a PD of its own.
 */
export function byHalf(departures: readonly Departure[]): { half: string; hours: Hour[] }[] {
  const halves: { half: string; hours: Hour[] }[] = [];
  for (const { at, ...one } of departures) {
    const half = meridiemOf(at);
    if (halves.at(-1)?.half !== half) halves.push({ half, hours: [] });
    const hours = halves.at(-1)?.hours ?? [];
    const [hour = "", minute = ""] = formatTime(at).split(":");
    const last = hours.at(-1);
    if (last?.hour === hour) last.minutes.push({ minute, ...one });
    else hours.push({ hour, minutes: [{ minute, ...one }] });
  }
  return halves;
}
