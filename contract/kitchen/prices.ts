// Prices of meals: those of a canteen, each with the conditions that must all be met.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { formatCount } from "../french.ts";
import { type Audience, audiences } from "./states.ts";

/** The conditions of a price; one that is null always holds. */
export const priceTerms = z.object({
  audience: z.enum(audiences),
  /** The family quotient of the household at most, in whole euros a month. */
  quotientMax: z.nullable(z.int().check(z.minimum(0), z.maximum(99_999))),
  /** Children of the household at the canteens of the provider, at least. */
  childrenMin: z.nullable(z.int().check(z.minimum(2), z.maximum(20))),
  /** The commune where the household lives. */
  town: z.nullable(c.text(80, 1)),
  class: z.nullable(c.text(40, 1)),
});
export type PriceTerms = z.output<typeof priceTerms>;

/** Which line of a list of prices it is: the same conditions, at any canteen. */
export const termsKey = ({
  audience,
  quotientMax,
  childrenMin,
  town,
  class: of,
}: PriceTerms): string =>
  JSON.stringify([audience, quotientMax, childrenMin, town?.trim().toLowerCase() ?? null, of]);

const withoutConditions: Readonly<Record<Audience, string>> = {
  pupil: "Plein tarif",
  staff: "Tarif du personnel",
  guest: "Tarif invité",
};

/** Why a meal has a price: « Quotient jusqu’à 700 », « Plein tarif ». It never tells the quotient itself. */
export function priceReason(terms: PriceTerms): string {
  const { audience, quotientMax, childrenMin, town } = terms;
  const conditions = [
    quotientMax === null ? null : `quotient jusqu’à ${formatCount(quotientMax)}`,
    childrenMin === null ? null : `${childrenMin} enfants et plus`,
    town === null ? null : `commune de ${town}`,
    terms.class === null ? null : `classe de ${terms.class}`,
  ].filter((condition) => condition !== null);
  const general =
    audience === "pupil" && conditions.length > 0 ? [] : [withoutConditions[audience]];
  const reason = [...general, ...conditions].join(", ");
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
}
