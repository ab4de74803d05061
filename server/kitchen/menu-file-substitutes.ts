// Dishes that replace another of their course for a diet. The schema's column of diets says both what a dish
// is (« végétarien », of a soup for everybody) and whom it is made for (« sans viande », beside a roast): the
// other dishes of the day tell.
import { dietWords } from "#contract/kitchen/served-dishes.ts";
import type { Dish } from "#contract/kitchen/menus.ts";
import type { Course } from "#contract/kitchen/states.ts";
import type { ReadDish } from "./menu-file-dishes.ts";

/**
 * The dishes of a day as everybody's, or as made for a diet where the file has another of their course that
 * names none. What is only said to be vegetarian replaces a main dish, not the soup beside a ham; it is
 * without meat too.
 */
export function withSubstitutes(dishes: readonly ReadDish[]): {
  dishes: Dish[];
  /** « Omelette (sans viande) » */
  substitutes: string[];
} {
  const forEverybody = new Set<Course>(
    dishes
      .filter(({ regimes, diets }) => regimes.length + diets.length === 0)
      .map((one) => one.course),
  );
  const substitutes: string[] = [];
  const read = dishes.map(({ regimes, ...dish }) => {
    const diets = forEverybody.has(dish.course) ? madeFor(dish.course, regimes) : [];
    if (dish.diets.length > 0 || diets.length === 0) return dish;
    const made = { ...dish, diets };
    substitutes.push(`${made.name} (${dietWords(made)})`);
    return made;
  });
  return { dishes: read, substitutes };
}

function madeFor(course: Course, regimes: ReadDish["regimes"]): Dish["diets"] {
  if (!regimes.includes("vegetarian")) return regimes;
  const others = regimes.filter((one) => one !== "vegetarian");
  if (course !== "main") return others;
  return others.includes("no_meat") ? regimes : ["no_meat", ...regimes];
}
