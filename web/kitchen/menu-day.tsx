// The menu of a day as its provider sees it.
import type { Dish, MenuView } from "#contract/kitchen/menus.ts";
import { dietWords } from "#contract/kitchen/served-dishes.ts";
import { courseNames, dishLabelNames } from "#contract/kitchen/states.ts";
import { formatDayInWords, formatMoney } from "#contract/french.ts";
import { publicHolidays } from "#contract/working-days.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./menus.module.css";
import { DishAllergens } from "./dish-allergens.tsx";

export function MenuDayCard({
  menu: { day, published, note, dishes },
  past,
  onEdit,
}: {
  menu: MenuView;
  past: boolean;
  onEdit: () => void;
}) {
  const words = formatDayInWords(day);
  const holiday = publicHolidays(Number(day.slice(0, 4))).get(day);
  const hasMenu = dishes.length > 0;
  return (
    <li className={styles.day}>
      <header className={styles.dayHead}>
        <h3>{words}</h3>
        {hasMenu && (
          <Badge tone={published ? "success" : "warning"}>
            {published ? "Publié" : "Brouillon"}
          </Badge>
        )}
        {!hasMenu && holiday && <Badge>{holiday}</Badge>}
      </header>
      {note && <p className={styles.note}>{note}</p>}
      {hasMenu ? (
        <ul className={styles.dishes}>
          {dishes.map((dish, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- two dishes may bear the same name
            <DishLine key={place} dish={dish} />
          ))}
        </ul>
      ) : (
        <Text tone="soft" size="fine">
          Pas de menu.
        </Text>
      )}
      {!past && (
        <Button size="small" icon="edit" aria-haspopup="dialog" onClick={onEdit}>
          {hasMenu ? "Modifier" : "Écrire le menu"}
          <span className="unseen">
            {hasMenu && " le menu"} du {words}
          </span>
        </Button>
      )}
    </li>
  );
}

function DishLine({ dish }: { dish: Dish }) {
  const { course, name, labels, diets, priceCents } = dish;
  return (
    <li>
      <Text as="span" tone="soft" size="small">
        {courseNames[course]}
      </Text>
      <Text as="span" weight="strong" breakWord>
        {name}
        {priceCents !== null && ` · ${formatMoney(priceCents)}`}
      </Text>
      {diets.length > 0 && (
        <Text as="span" tone="soft" size="fine">
          Pour les régimes{"\u202f"}: {dietWords(dish)}
        </Text>
      )}
      {labels.length > 0 && (
        <span className={styles.labels}>
          {labels.map((label) => (
            <Badge key={label}>{dishLabelNames[label]}</Badge>
          ))}
        </span>
      )}
      <DishAllergens dish={dish} />
    </li>
  );
}
