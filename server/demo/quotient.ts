// The household's quotient in the demo: from when it counts, and the price of a school meal by it.
import { addDays, parisDay } from "#contract/days.ts";

export const quotient = { value: 640, sentDaysAgo: 40 };

/** Prices of a pupil's meal: in full, and up to each quotient. */
export const pupilPrices = {
  fullCents: 345,
  upTo: [
    { quotientMax: 700, priceCents: 145 },
    { quotientMax: 1200, priceCents: 260 },
  ],
} as const;

// As `schoolRightEnd` of the entitlements room, which is computed in SQL.
const lastDay = (day: string): string =>
  `${Number(day.slice(0, 4)) + (Number(day.slice(5, 7)) >= 6 ? 1 : 0)}-08-31`;

/** Price of a meal of the guardian's children on a day, by the canteen's rules. */
export function mealCentsOn(day: string, now: Date): number {
  const from = addDays(parisDay(now), -quotient.sentDaysAgo);
  if (day < from || day > lastDay(from)) return pupilPrices.fullCents;
  const price = pupilPrices.upTo.find(({ quotientMax }) => quotient.value <= quotientMax);
  return price?.priceCents ?? pupilPrices.fullCents;
}
