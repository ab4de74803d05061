// Days as the scheme counts them: a day ends at midnight in Paris, wherever server and browser are.
const calendar = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Paris" });

/** The day (YYYY-MM-DD) of an instant. */
export const parisDay = (instant: Date): string => calendar.format(instant);

/** The day `count` days after (before when negative). */
export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

/** The instant at which a day begins in Paris. */
export function startOfDay(day: string): Date {
  const midnight = new Date(`${day}T00:00:00Z`);
  // Paris is one or two hours ahead, and its clocks change at 01:00 UTC: never at midnight.
  const ahead = parisDay(new Date(midnight.getTime() - 2 * 3_600_000)) === day ? 2 : 1;
  return new Date(midnight.getTime() - ahead * 3_600_000);
}
