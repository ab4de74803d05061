// Opening hours: whether a place is open at a moment, from its hours and closing days. Days and hours
// are those of Paris and come from the caller: this file reads no clock.
import { dayMs } from "#contract/days.ts";
import { partners as limits } from "#contract/limits.ts";
import type { Opening } from "#contract/partners/rows.ts";

export interface Hours {
  /** 1 Monday to 7 Sunday. */
  weekday: number;
  /** HH:MM. */
  opens: string;
  closes: string;
}

export interface Closure {
  fromOn: string;
  toOn: string;
  reason: string;
}

/** A moment in local time of Paris. */
export interface Local {
  /** YYYY-MM-DD. */
  day: string;
  /** HH:MM. */
  time: string;
  weekday: number;
}

/** The hours and closures of a partner, as `openingColumns` reads them. */
export interface OpeningRow {
  hours: Hours[];
  closures: Closure[];
}

/** Open or not, until when, or when next. `closures` may hold past ones. */
export function openingOf(
  hours: readonly Hours[],
  closures: readonly Closure[],
  now: Local,
): Opening {
  const closure = closures.find(({ fromOn, toOn }) => fromOn <= now.day && now.day <= toOn);
  const today = spansOf(hours, now.weekday);
  const current = closure
    ? undefined
    : today.find(({ opens, closes }) => opens <= now.time && now.time < closes);
  if (current) {
    const until = lastOf(today, current);
    const night = until === midnight ? nightAfter(hours, closures, now) : null;
    return { open: true, until: night ?? until, next: null, closure: null };
  }
  const reason = closure && today.length > 0 ? closure.reason : null;
  return { open: false, until: null, next: nextOpening(hours, closures, now), closure: reason };
}

const midnight = "24:00";

/** Until when a place that is open at midnight stays open the next day; null where it closes at midnight. */
function nightAfter(
  hours: readonly Hours[],
  closures: readonly Closure[],
  now: Local,
): string | null {
  const on = dayAfter(now.day, 1);
  if (closures.some(({ fromOn, toOn }) => fromOn <= on && on <= toOn)) return null;
  const tomorrow = spansOf(hours, (now.weekday % 7) + 1);
  const first = tomorrow.find(({ opens }) => opens === "00:00");
  return first ? lastOf(tomorrow, first) : null;
}

const spansOf = (hours: readonly Hours[], weekday: number) =>
  hours.filter((one) => one.weekday === weekday).sort((a, b) => (a.opens < b.opens ? -1 : 1));

/** Spans that touch are one: 09:00–12:00 and 12:00–18:00 close at 18:00. */
function lastOf(today: readonly Hours[], current: Hours): string {
  const after = today.find(({ opens }) => opens === current.closes);
  return after ? lastOf(today, after) : current.closes;
}

function nextOpening(
  hours: readonly Hours[],
  closures: readonly Closure[],
  now: Local,
): Opening["next"] {
  for (let inDays = 0; inDays <= limits.nextOpeningDays; inDays++) {
    const on = dayAfter(now.day, inDays);
    if (closures.some(({ fromOn, toOn }) => fromOn <= on && on <= toOn)) continue;
    const weekday = ((now.weekday - 1 + inDays) % 7) + 1;
    const span = spansOf(hours, weekday).find(({ opens }) => inDays > 0 || opens > now.time);
    if (span) return { on, inDays, at: span.opens };
  }
  return null;
}

/** Counted on the calendar, where every day has 24 hours. */
function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}
