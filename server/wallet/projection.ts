// Forecast of a balance: holds leave on their day, then the spending rate of the last weeks continues.
import { addDays, daysBetween } from "#contract/days.ts";

export interface Booked {
  /** The day on which it will be paid, null when unknown: counted today. */
  on: string | null;
  cents: number;
}

interface Outlook {
  today: string;
  /** The balance now, holds included. */
  balanceCents: number;
  booked: readonly Booked[];
  /** Spending of an ordinary day (`dailyPace`). */
  dailyCents: number;
}

const farthestDays = 366;

/** Weeks from which the spending rate is computed. */
export const paceWeeks = 4;

/**
 * Cents of an ordinary day, from the spending of each of the last weeks, weeks without spending left out: the
 * median week, so that a pass or a concert bought once does not distort the forecast.
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

/** The day on which the wallet is empty, null when it lasts over a year or is empty already. */
export function emptyOn(outlook: Outlook): string | null {
  if (outlook.balanceCents <= 0) return null;
  // No holds and no recent spending: it never becomes empty.
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
      // Days up to the last hold have their known cost; the spending rate continues after it.
      if (ahead > lastBooked) left -= dailyCents;
      return Math.max(0, Math.round(left));
    },
  };
}
