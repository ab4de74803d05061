// Which dishes of a menu a person is served: a dish made for a diet replaces those of its course.
import { type Diet, dietNames, dishDiets, type DishDiet, type DishLabel } from "./states.ts";

interface ServedDish {
  course: string;
  diets: readonly DishDiet[];
}

const isFor = ({ diets }: ServedDish, diet: Diet): boolean => diets.some((one) => one === diet);

/** The dishes of a menu that somebody of a diet is served, in the order of the menu. */
export function dishesServed<T extends ServedDish>(dishes: readonly T[], diet: Diet): T[] {
  const replaced = new Set(dishes.filter((one) => isFor(one, diet)).map(({ course }) => course));
  return dishes.filter((one) =>
    replaced.has(one.course) ? isFor(one, diet) : one.diets.length === 0,
  );
}

/** Of them, those that are made for the diet. */
export const dishesReplacing = <T extends ServedDish>(dishes: readonly T[], diet: Diet): T[] =>
  dishes.filter((one) => isFor(one, diet));

/**
 * Diets that a dish for everybody does not suit, as far as the menu tells. A dish says nothing of pork or
 * meat: a main dish that is not labelled vegetarian counts for each of them. In another course one made for a
 * diet tells that the others do not suit it, nor a stricter diet.
 */
export function dietsUnsuited<T extends ServedDish & { labels: readonly DishLabel[] }>(
  dishes: readonly T[],
  dish: T,
): readonly DishDiet[] {
  if (dish.diets.length > 0 || dish.labels.includes("vegetarian")) return [];
  if (dish.course === "main") return dishDiets;
  const beside = dishes.filter(({ course }) => course === dish.course);
  const mildest = dishDiets.findIndex((diet) => beside.some((one) => isFor(one, diet)));
  return mildest === -1 ? [] : dishDiets.slice(mildest);
}

/** « sans porc, végétarien »: who a dish is made for. */
export const dietWords = ({ diets }: Pick<ServedDish, "diets">): string =>
  dishDiets
    .filter((diet) => diets.includes(diet))
    .map((diet) => dietNames[diet].toLowerCase())
    .join(", ");
