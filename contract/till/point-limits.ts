// Constants of the points that partners give.
export const loyalty = {
  /** Value of a point as a discount. */
  pointCents: 1,
  /** The most that terms may give for one euro paid. */
  maxPerEuro: 20,
  /** Days before their last day on which the holder is warned, once. */
  soonDays: 14,
} as const;

/** Whole points for what was paid, in cents. */
export const pointsOn = (cents: number, perEuro: number): number =>
  Math.floor((cents * perEuro) / 100);

/** Last day of points earned on a day: the end of the same month, a year later. */
export function pointsExpireOn(day: string): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year + 1, month, 0)).toISOString().slice(0, 10);
}
