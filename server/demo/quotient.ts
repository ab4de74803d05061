// The household's quotient in the demo: since when it counts, and what a school meal costs by it.
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

// As `schoolRightEnd` of the entitlements room, which the database works out.
const lastDay = (day: string): string =>
  `${Number(day.slice(0, 4)) + (Number(day.slice(5, 7)) >= 6 ? 1 : 0)}-08-31`;

/** What a meal of the guardian's children costs on a day, as the canteen's rules tell it. */
export function mealCentsOn(day: string, now: Date): number {
  const from = addDays(parisDay(now), -quotient.sentDaysAgo);
  if (day < from || day > lastDay(from)) return pupilPrices.fullCents;
  const price = pupilPrices.upTo.find(({ quotientMax }) => quotient.value <= quotientMax);
  return price?.priceCents ?? pupilPrices.fullCents;
}
