// Quantities that a kitchen cooks on a day: the meals of each canteen's service, by class, diet and allergen,
// and the portions of each dish.
import * as z from "zod/mini";
import { allergens } from "../allergies/rows.ts";
import * as c from "../endpoint.ts";
import { formatCount, plural } from "../french.ts";
import { allergenWords } from "../kitchen/dish-allergens.ts";
import { dish } from "../kitchen/menus.ts";
import { audiences, dietNames, diets, dishDiets } from "../kitchen/states.ts";

const meals = z.int();

const service = z.object({
  canteen: c.uuid,
  name: z.string(),
  /** HH:mm in Paris. */
  servesFrom: z.string(),
  servesUntil: z.string(),
  /** Why it does not serve that day, null when it does. */
  closedWhy: z.nullable(z.string()),
  /** Ordered meals, without walk-ins. */
  meals,
  /** Of them, meals that people bring themselves (packed). */
  packed: meals,
  pai: meals,
  classes: z.array(z.object({ className: z.string(), meals })),
  audiences: z.array(z.object({ audience: z.enum(audiences), meals })),
  diets: z.array(z.object({ diet: z.enum(diets), meals })),
  /** People who wait for a seat of it, those with an offer too. */
  waiting: z.int(),
  /** Meals served without an order that day. */
  walkIns: meals,
  /** Walk-ins to expect: the average of its last services, rounded up. */
  walkInMargin: meals,
  /** Portions: meals, without the packed ones, with the margin. */
  portions: meals,
});
export type QuantitiesOfService = z.output<typeof service>;

const dishToCook = z.object({
  ...dish.shape,
  /** Portions for those who are served the dish; only dishes for everybody have a margin. */
  portions: meals,
  /**
   * Portions of them for which an allergen of the dish is declared. Of a dish whose allergens are not
   * declared, portions to look at: any allergen is.
   */
  withoutAllergens: meals,
  /** Portions of them by diet that the dish does not suit (`dietsUnsuited`), and that no other replaces. */
  unsuited: z.array(z.object({ diet: z.enum(dishDiets), meals })),
  /** Portions to replace in all: a meal with a diet and an allergen counts once. */
  toReplace: meals,
});
export type DishToCook = z.output<typeof dishToCook>;

/**
 * « 2 sans porc, 1 végétarien, 1 allergie (lait) »: for whom portions of a dish are replaced; "" for nobody.
 */
export function replacedWords({ unsuited, withoutAllergens, allergens: held }: DishToCook): string {
  const byDiet = unsuited.map(({ diet, meals: count }) =>
    diet === "vegetarian"
      ? plural(count, "végétarien")
      : `${formatCount(count)} ${dietNames[diet].toLowerCase()}`,
  );
  if (withoutAllergens === 0 && held !== null) return byDiet.join(", ");
  const allergies = withoutAllergens > 0 ? plural(withoutAllergens, "allergie") : "allergies";
  return [...byDiet, `${allergies} (${allergenWords({ allergens: held })})`].join(", ");
}

const declared = z.object({
  allergen: z.enum(allergens),
  /** People whose family shares their allergens with the canteen, by name. */
  people: z.array(z.object({ name: z.string(), className: z.string(), canteen: z.string() })),
});

const quantities = z.object({
  day: c.day,
  now: c.instant,
  services: z.array(service),
  dishes: z.array(dishToCook),
  allergens: z.array(declared),
  /** Meals of people whose family does not let the canteen know their allergens. */
  allergensUnknown: meals,
});
export type Quantities = z.output<typeof quantities>;

const input = z.object({
  /** Without one: today until the last service of the day is over, then the next day of service. */
  day: z.optional(c.day),
});

export const canteenQuantities = {
  quantities: c.row({
    method: "GET",
    path: "/api/canteen/quantities",
    access: "professional",
    right: "cook",
    of: "provider",
    reads: ["service", "meals", "menus", "closings"],
    summary: "What the caller's canteens cook on a day",
    source: "server/meal-service/README.md#quantities-to-cook",
    input,
    output: quantities,
    problems: [],
  }),
  quantitiesPdf: c.row({
    method: "GET",
    path: "/api/canteen/quantities.pdf",
    access: "professional",
    right: "cook",
    of: "provider",
    summary: "The same on paper, allergens by number without names",
    source: "server/meal-service/README.md#quantities-to-cook",
    input,
    output: c.document,
    reply: "pdf",
    rate: { max: 20, seconds: 60 },
    problems: [],
  }),
} as const;
