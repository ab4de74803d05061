// The allergens of a dish, as both sides read them: those that it holds, that it has none, or that nobody has
// said yet.
import { allergenWords } from "#contract/kitchen/dish-allergens.ts";
import type { Dish } from "#contract/kitchen/menus.ts";
import styles from "./dish-allergens.module.css";

export function DishAllergens({ dish }: { dish: Pick<Dish, "allergens"> }) {
  const { allergens } = dish;
  const words = allergenWords(dish);
  const named = allergens !== null && allergens.length > 0;
  return (
    <span className={styles.dishAllergens} data-undeclared={allergens === null || undefined}>
      {" "}
      {named ? `Allergènes\u202f: ${words}` : words.replace(/^./, (first) => first.toUpperCase())}
    </span>
  );
}
