// The menu of a day as families read it: dishes with their prices, labels, allergens and who they are made for.
import type { Allergen } from "#contract/allergies/rows.ts";
import type { Dish, MenuView } from "#contract/kitchen/menus.ts";
import { dietWords } from "#contract/kitchen/served-dishes.ts";
import { courseNames, dishLabelNames } from "#contract/kitchen/states.ts";
import { formatMoney } from "#contract/french.ts";
import { Text } from "#web/ui/text.tsx";
import { DishAllergens } from "#web/kitchen/dish-allergens.tsx";
import styles from "./family-meals.module.css";

export const DayMenu = ({
  menu,
  warnedOf,
}: {
  menu: MenuView;
  /** First names of those who are served this dish and declared this allergen of it. */
  warnedOf: (dish: Dish, allergen: Allergen) => readonly string[];
}) => (
  <ul className={styles.dishes}>
    {menu.dishes.map((dish) => (
      <li key={`${dish.course} ${dish.name}`}>
        <span className="unseen">{courseNames[dish.course]} : </span>
        {dish.name}
        {dish.priceCents !== null && ` · ${formatMoney(dish.priceCents)}`}
        {dish.diets.length > 0 && (
          <span className={styles.madeFor}>
            {" "}
            Pour les régimes{"\u202f"}: {dietWords(dish)}
          </span>
        )}
        {dish.labels.length > 0 && (
          <span className={styles.labels}>
            {" "}
            {dish.labels.map((one) => dishLabelNames[one]).join(", ")}
          </span>
        )}
        <DishAllergens dish={dish} warnedOf={(allergen) => warnedOf(dish, allergen)} />
      </li>
    ))}
    {menu.note !== "" && (
      <Text as="li" tone="soft" size="small">
        {menu.note}
      </Text>
    )}
  </ul>
);
