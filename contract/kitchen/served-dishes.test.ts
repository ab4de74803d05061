import { expect, test } from "vitest";
import { dietWords, dishesReplacing, dishesServed } from "./served-dishes.ts";
import type { DishDiet } from "./states.ts";

const dish = (course: string, name: string, ...diets: DishDiet[]) => ({ course, name, diets });
const namesOf = (dishes: readonly { name: string }[]) => dishes.map(({ name }) => name);
const menu = [
  dish("starter", "Carottes"),
  dish("main", "Rôti de porc"),
  dish("main", "Omelette", "vegetarian", "no_meat"),
  dish("main", "Rôti de dinde", "no_pork"),
  dish("side", "Lentilles"),
  dish("side", "Riz"),
];

test("a dish made for a diet replaces those of its course, for this diet alone", () => {
  const rest = ["Lentilles", "Riz"];
  expect(namesOf(dishesServed(menu, "standard"))).toEqual(["Carottes", "Rôti de porc", ...rest]);
  expect(namesOf(dishesServed(menu, "no_pork"))).toEqual(["Carottes", "Rôti de dinde", ...rest]);
  expect(namesOf(dishesServed(menu, "vegetarian"))).toEqual(["Carottes", "Omelette", ...rest]);
  expect(namesOf(dishesServed(menu, "no_meat"))).toEqual(["Carottes", "Omelette", ...rest]);
});

test("without a dish of their own, a diet and a packed lunch have those of everybody", () => {
  const plain = [dish("main", "Gratin"), dish("main", "Poisson")];
  expect(dishesServed(plain, "no_pork")).toEqual(plain);
  expect(namesOf(dishesServed(menu, "packed"))).toContain("Rôti de porc");
});

test("says which dishes replace for a diet, and who a dish is made for", () => {
  expect(namesOf(dishesReplacing(menu, "no_meat"))).toEqual(["Omelette"]);
  expect(dishesReplacing(menu, "standard")).toEqual([]);
  expect(menu.slice(1, 3).map(dietWords)).toEqual(["", "sans viande, végétarien"]);
});
