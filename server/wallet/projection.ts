// Where a balance goes: what is booked leaves on its day, then the pace of the last weeks goes on.
import { addDays } from "#contract/days.ts";

export interface Booked {
  /** The day it will be paid, null when it is not known: counted today. */
  on: string | null;
  cents: number;
}

interface Outlook {
  today: string;
  /** What the wallet holds now, bookings included. */
  balanceCents: number;
  booked: readonly Booked[];
  /** Spending of an ordinary day (`dailyPace`). */
  dailyCents: number;
}

const farthestDays = 366;

/** Weeks over which the pace of spending is read. */
export const paceWeeks = 4;

/**
 * Cents of an ordinary day, from what each of the last weeks spent, weeks without spending left out: the
 * median week, so that a pass or a concert bought once does not bend the forecast.
 */
export function dailyPace(weeksCents: readonly number[]): number {
  const weeks = Array.from({ length: paceWeeks }, (_, week) => weeksCents[week] ?? 0);
  weeks.sort((a, b) => a - b);
  const middle = weeks.slice(paceWeeks / 2 - 1, paceWeeks / 2 + 1);
  return middle.reduce((sum, cents) => sum + cents, 0) / middle.length / 7;
}

/** Balance at the end of each of the next `days` days, never below zero. */
export function project(
  { today, balanceCents, booked, dailyCents }: Outlook,
  days: number,
): { on: string; balanceCents: number }[] {
  const lastBooked = booked.reduce((last, { on }) => (on && on > last ? on : last), today);
  const due = new Map<string, number>();
  for (const { on, cents } of booked) {
    const day = on === null || on < today ? today : on;
    due.set(day, (due.get(day) ?? 0) + cents);
  }
  let left = balanceCents - (due.get(today) ?? 0);
  return Array.from({ length: days }, (_, index) => {
    const on = addDays(today, index + 1);
    left -= due.get(on) ?? 0;
    // Days with bookings ahead say themselves what they cost; the pace goes on after the last one.
    if (on > lastBooked) left -= dailyCents;
    return { on, balanceCents: Math.max(0, Math.round(left)) };
  });
}

/** The day the wallet runs out, null when it lasts over a year or is empty already. */
export function emptyOn(outlook: Outlook): string | null {
  if (outlook.balanceCents <= 0) return null;
  return project(outlook, farthestDays).find((point) => point.balanceCents === 0)?.on ?? null;
}
