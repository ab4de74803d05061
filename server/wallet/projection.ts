// Where a balance goes: what is booked leaves on its day, then the pace of the last weeks goes on.
import { addDays, daysBetween } from "#contract/days.ts";

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
export function project(outlook: Outlook, days: number): { on: string; balanceCents: number }[] {
  const left = balancesAhead(outlook);
  return Array.from({ length: days }, (_, index) => ({
    on: addDays(outlook.today, index + 1),
    balanceCents: left.next(),
  }));
}

/** The day the wallet runs out, null when it lasts over a year or is empty already. */
export function emptyOn(outlook: Outlook): string | null {
  if (outlook.balanceCents <= 0) return null;
  // Nothing booked and nothing spent lately: it never runs out.
  if (outlook.booked.length === 0 && outlook.dailyCents <= 0) return null;
  const left = balancesAhead(outlook);
  for (let ahead = 1; ahead <= farthestDays; ahead++)
    if (left.next() === 0) return addDays(outlook.today, ahead);
  return null;
}

/** Cents at the end of tomorrow, of the day after it, and so on: days by number, since dates are slow. */
function balancesAhead({ today, balanceCents, booked, dailyCents }: Outlook): { next(): number } {
  const due = new Map<number, number>();
  for (const { on, cents } of booked) {
    const ahead = on === null ? 0 : Math.max(0, daysBetween(today, on));
    due.set(ahead, (due.get(ahead) ?? 0) + cents);
  }
  const lastBooked = Math.max(0, ...due.keys());
  let left = balanceCents - (due.get(0) ?? 0);
  let ahead = 0;
  return {
    next() {
      ahead += 1;
      left -= due.get(ahead) ?? 0;
      // Days with bookings ahead say themselves what they cost; the pace goes on after the last one.
      if (ahead > lastBooked) left -= dailyCents;
      return Math.max(0, Math.round(left));
    },
  };
}
