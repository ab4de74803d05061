// The menu of a day as its provider sees it in the week: a column beside the others, thin while there is none.
import type { Dish, MenuView } from "#contract/kitchen/menus.ts";
import { dietWords } from "#contract/kitchen/served-dishes.ts";
import { courseNames, dishLabelNames } from "#contract/kitchen/states.ts";
import { formatDayInWords, formatMoney, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { Badge } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { hasDraft } from "#web/ui/draft.ts";
import { Text } from "#web/ui/text.tsx";
import styles from "./menus.module.css";
import { DishAllergens } from "./dish-allergens.tsx";
import { menuDraft } from "./menu-lines.ts";

export function MenuDayColumn({
  menu: { day, published, note, dishes },
  past,
  closedWhy,
  seats,
}: {
  menu: MenuView;
  past: boolean;
  /** Why nobody serves; undefined on a day of service. */
  closedWhy: string | undefined;
  /** Meals that the canteens of the day can seat. */
  seats: number;
}) {
  const words = formatDayInWords(day);
  const hasMenu = dishes.length > 0;
  const isTyped = !past && hasDraft(menuDraft(day).name);
  return (
    <li className={styles.day} data-empty={!hasMenu || undefined}>
      <header className={styles.dayHead}>
        <h3>{words}</h3>
        {hasMenu && (
          <Badge tone={published ? "success" : "warning"}>
            {published ? "Publié" : "Brouillon"}
          </Badge>
        )}
        {isTyped && <Badge tone="warning">Saisie non enregistrée</Badge>}
        {!hasMenu && (
          <Text tone="soft" size="fine">
            {closedWhy ?? "Pas de menu."}
          </Text>
        )}
      </header>
      {hasMenu && (
        <>
          {note && <p className={styles.note}>{note}</p>}
          <ul className={styles.dishes}>
            {dishes.map((dish, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- two dishes may bear the same name
              <DishLine key={place} dish={dish} />
            ))}
          </ul>
        </>
      )}
      {hasMenu && seats > 0 && !closedWhy && (
        <Text tone="soft" size="small">
          {plural(seats, "place")}
        </Text>
      )}
      {!past && (
        <ButtonLink size="small" icon="edit" href={linkTo(paths.menuEditor, {}, { day })}>
          {hasMenu ? "Modifier" : "Écrire"}
          <span className="unseen"> le menu du {words}</span>
        </ButtonLink>
      )}
    </li>
  );
}

function DishLine({ dish }: { dish: Dish }) {
  const { course, name, labels, diets, priceCents } = dish;
  return (
    <li>
      <span className="unseen">
        {courseNames[course]}
        {"\u202f"}:{" "}
      </span>
      <Text as="span" weight="strong" breakWord>
        {name}
        {priceCents !== null && ` · ${formatMoney(priceCents)}`}
      </Text>
      {diets.length > 0 && (
        <Text as="span" tone="soft" size="small">
          Pour les régimes{"\u202f"}: {dietWords(dish)}
        </Text>
      )}
      {labels.length > 0 && (
        <Text as="span" tone="soft" size="small">
          {labels.map((label) => dishLabelNames[label]).join(", ")}
        </Text>
      )}
      <DishAllergens dish={dish} />
    </li>
  );
}
