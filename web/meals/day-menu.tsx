// The menu of a day as families read it: dishes with their prices, labels, allergens and who they are made for.
import type { MenuView } from "#contract/kitchen/menus.ts";
import { dietWords } from "#contract/kitchen/served-dishes.ts";
import { courseNames, dishLabelNames } from "#contract/kitchen/states.ts";
import { formatMoney } from "#contract/french.ts";
import { Text } from "#web/ui/text.tsx";
import { DishAllergens } from "#web/kitchen/dish-allergens.tsx";
import styles from "./family-meals.module.css";

export const DayMenu = ({ menu }: { menu: MenuView }) => (
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
        <DishAllergens dish={dish} />
      </li>
    ))}
    {menu.note !== "" && (
      <Text as="li" tone="soft" size="small">
        {menu.note}
      </Text>
    )}
  </ul>
);
