// Phone numbers as they are dialled in France: « 0692 12 34 56 » is a number of La Réunion, +262.

/**
 * Mainland first; Saint-Barthélemy and Saint-Martin have the numbers of Guadeloupe, Mayotte those of La
 * Réunion.
 */
export type FrenchRegion = "FR" | (typeof overseas)[number];
const overseas = ["RE", "GP", "GF", "MQ", "PM"] as const;
/** Country calling codes of numbers that are dialled with a 0 in their place, and read again as they were. */
const dialledAlike = /^\+(?:33(?=\d{9}$)|(?:262|590|594|596)(?=[1-7]\d{8}$))/;

/**
 * A typed number, read by `parse` in the region of France whose it is unless it names a country itself. What
 * is dialled like a mainland number is one of overseas where it is valid there: their geographic and mobile
 * blocks are not mainland's. Those that begin with 08 and 09 are alike everywhere, and taken as mainland's.
 */
export function parseFrenchPhone<Phone extends { isValid(): boolean }>(
  typed: string,
  parse: (typed: string, region: FrenchRegion) => Phone | undefined,
): Phone | undefined {
  const digits = typed.replaceAll(/[\s().-]/g, "");
  // The six digits of Saint-Pierre-et-Miquelon, dialled after its code.
  if (/^0508[2-9]\d{5}$/.test(digits)) return parse(digits.slice(4), "PM");
  if (/^0[1-7]\d{8}$/.test(digits)) {
    for (const region of overseas) {
      const phone = parse(typed, region);
      if (phone?.isValid()) return phone;
    }
  }
  return parse(typed, "FR");
}

/** The ten digits that are dialled in France of an E.164 number, null of one of another country. */
export const dialledInFrance = (e164: string): string | null =>
  dialledAlike.test(e164) ? e164.replace(dialledAlike, "0") : null;
