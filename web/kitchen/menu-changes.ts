// The changes that somebody else has made to the menu of a day since it was read.
import { allergenWords } from "#contract/kitchen/dish-allergens.ts";
import { dishSpelling } from "#contract/kitchen/dish-library.ts";
import type { Dish, MenuView } from "#contract/kitchen/menus.ts";
import type { Change } from "./change-list.tsx";

type Menu = Pick<MenuView, "note" | "dishes">;

/** Never empty: what has no line of its own is named in one, also beside others. */
export function menuChanges(before: Menu, after: Menu): Change[] {
  const redeclared = after.dishes.filter((dish) => {
    const same = before.dishes.filter((one) => isSameDish(one, dish));
    return same.length > 0 && same.every((one) => allergensText(one) !== allergensText(dish));
  });
  const facts: Change[] = [
    ["Plats retirés", namesOnlyIn(before.dishes, after.dishes)],
    ["Plats ajoutés", namesOnlyIn(after.dishes, before.dishes)],
    [
      "Allergènes changés",
      redeclared.map((dish) => `${dish.name} (${allergenWords(dish)})`).join(", "),
    ],
    ["Note", after.note === before.note ? "" : after.note || "retirée"],
  ];
  const changes = facts.filter(([, what]) => what !== "");
  const areOthersSame = othersText(before, after) === othersText(after, before);
  if (changes.length > 0 && areOthersSame) return changes;
  const label = changes.length > 0 ? "Autres changements" : "Changements";
  return [...changes, [label, "service, ordre, labels, régimes ou prix des plats"]];
}

/** What has no line of its own, of the dishes that another menu has too. */
const othersText = (menu: Menu, other: Menu): string =>
  JSON.stringify(
    menu.dishes
      .filter((dish) => other.dishes.some((one) => isSameDish(one, dish)))
      .map(({ course, name, labels, diets, priceCents }) => [
        course,
        dishSpelling(name),
        labels,
        diets,
        priceCents,
      ]),
  );

const isSameDish = (one: Dish, other: Dish): boolean =>
  dishSpelling(one.name) === dishSpelling(other.name);

const allergensText = ({ allergens }: Dish): string =>
  JSON.stringify(allergens && allergens.toSorted());

const namesOnlyIn = (some: readonly Dish[], others: readonly Dish[]): string =>
  some
    .filter((dish) => !others.some((one) => isSameDish(one, dish)))
    .map(({ name }) => name)
    .join(", ");
