// Days and months of a subscription, as YYYY-MM-DD.
const at = (day: string): Date => new Date(`${day}T12:00:00Z`);
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** The day `count` days after (before when negative). */
export function addDays(day: string, count: number): string {
  const date = at(day);
  date.setUTCDate(date.getUTCDate() + count);
  return dayOf(date);
}

/** The same day `count` months later; the last one of a month that is too short. */
export function addMonths(day: string, count: number): string {
  const date = at(day);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return dayOf(date);
}

/** The later of two days; null counts for nothing. */
export const laterOf = (day: string, other: string | null): string =>
  other !== null && other > day ? other : day;

/** The 31 August that ends the school year of a day. */
export function schoolYearEnd(day: string): string {
  const year = Number(day.slice(0, 4));
  return day.slice(5) > "08-31" ? `${year + 1}-08-31` : `${year}-08-31`;
}

/** Months from one day to another, those begun counted whole. */
export function monthsBegun(from: string, to: string): number {
  const [a, b] = [at(from), at(to)];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth() + 1;
}

/** Whole days from one day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((at(to).getTime() - at(from).getTime()) / 86_400_000);
