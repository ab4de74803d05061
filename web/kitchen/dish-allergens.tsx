// The allergens of a dish, as both sides read them: those that it holds, that it has none, or that nobody has
// said yet.
import { Fragment } from "react";
import { type Allergen, allergenNames } from "#contract/allergies/rows.ts";
import { allergenWords } from "#contract/kitchen/dish-allergens.ts";
import type { Dish } from "#contract/kitchen/menus.ts";
import styles from "./dish-allergens.module.css";

export function DishAllergens({
  dish,
  warnedOf = () => [],
}: {
  dish: Pick<Dish, "allergens">;
  /** First names of those whom an allergen of the dish concerns. */
  warnedOf?: (allergen: Allergen) => readonly string[];
}) {
  const { allergens } = dish;
  const words = allergenWords(dish);
  return (
    <span className={styles.dishAllergens} data-undeclared={allergens === null || undefined}>
      {" "}
      {allergens && allergens.length > 0 ? (
        <>
          Allergènes{"\u202f"}:{" "}
          {allergens.map((one, index) => (
            <Fragment key={one}>
              {index > 0 && ", "}
              <DishAllergen name={allergenNames[one].toLowerCase()} whose={warnedOf(one)} />
            </Fragment>
          ))}
        </>
      ) : (
        words.replace(/^./, (first) => first.toUpperCase())
      )}
    </span>
  );
}

const DishAllergen = ({ name, whose }: { name: string; whose: readonly string[] }) =>
  whose.length > 0 ? (
    <strong className={styles.declared}>
      {name} ({whose.join(", ")})
    </strong>
  ) : (
    name
  );
