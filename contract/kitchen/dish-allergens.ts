// The allergens of dishes against those that a person declared. A dish whose allergens are not declared
// warns as one that has them: regulation (EU) 1169/2011, articles 9 and 44, asks for them of every dish.
import * as z from "zod/mini";
import { type Allergen, allergenNames, allergens } from "../allergies/rows.ts";

interface DishAllergens {
  allergens: readonly Allergen[] | null;
}

export const allergenWarning = z.object({
  /** Allergens of the person that dishes have. */
  allergens: z.array(z.enum(allergens)),
  /** Whether the allergens of a dish are not declared. */
  undeclared: z.boolean(),
});
export type AllergenWarning = z.output<typeof allergenWarning>;

/** The warning of dishes to a person who declared these allergens; null without one. */
export function warningOf(
  dishes: readonly DishAllergens[],
  declared: readonly Allergen[],
): AllergenWarning | null {
  if (declared.length === 0) return null;
  const held = declared.filter((one) => dishes.some((dish) => dish.allergens?.includes(one)));
  const undeclared = dishes.some((dish) => dish.allergens === null);
  return held.length > 0 || undeclared ? { allergens: held, undeclared } : null;
}

/** The warning in words: « arachides, lait », « allergènes non renseignés », or both. */
export const warningWords = ({ allergens: held, undeclared }: AllergenWarning): string =>
  [
    ...held.map((one) => allergenNames[one].toLowerCase()),
    ...(undeclared ? [undeclaredWords] : []),
  ].join(", ");

const undeclaredWords = "allergènes non renseignés";

/** The allergens of a dish in words: « lait, œufs », « aucun allergène », « allergènes non renseignés ». */
export function allergenWords({ allergens: held }: DishAllergens): string {
  if (held === null) return undeclaredWords;
  return held.map((one) => allergenNames[one].toLowerCase()).join(", ") || "aucun allergène";
}
