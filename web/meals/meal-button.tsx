// A meal of a person on a day of the week: a button to choose or to cancel it, or why it cannot be.
import { useState } from "react";
import type { api } from "#contract/api.ts";
import type { Dish } from "#contract/kitchen/menus.ts";
import type { MealCell } from "#contract/meals/orders.ts";
import { type Diet, dietNames } from "#contract/kitchen/states.ts";
import { mealOrderStateNames } from "#contract/meals/states.ts";
import type { Output } from "#contract/endpoint.ts";
import { firstName, formatDate, formatMoney, formatTime, plural } from "#contract/french.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Countdown } from "#web/ui/person.tsx";
import { Text } from "#web/ui/text.tsx";
import { FullMeal, isFull, HeldUntil } from "./meal-waiting-list.tsx";
import { AllergenWarningLine } from "./allergen-warning.tsx";
import styles from "./family-meals.module.css";

/** Somebody of the week; `label` names their canteen too where the family eats at several. */
export type Person = Output<typeof api.canteen.week>["people"][number] & { label: string };

/** The action on a meal of a person on a day, or why there is none. */
export function MealButton({
  person,
  cell,
  instead,
  pendingChoice,
  now,
  onPress,
}: {
  person: Person;
  cell: MealCell;
  /** Dishes of the day made for the person's diet. */
  instead: readonly Dish[];
  /** The choice that was pressed and that the server has not saved yet. */
  pendingChoice: boolean | undefined;
  now: string;
  onPress: (person: Person, cell: MealCell) => void;
}) {
  const { label } = person;
  const { order } = cell;
  if (order) {
    const open = order.canCancel;
    return (
      <button
        type="button"
        className={styles.meal}
        data-state="ordered"
        disabled={!open}
        onClick={() => onPress(person, cell)}
      >
        <Icon name="check" size={20} />
        <span className={styles.mealWords}>
          <span className={styles.mealName}>{label}</span>
          <span>
            {mealOrderStateNames[order.state]} · {formatMoney(order.priceCents)}
          </span>
          {order.orderedBy !== null && (
            <Text as="span" tone="soft" size="small">
              Commandé par {firstName(order.orderedBy)}
            </Text>
          )}
          <Instead diet={person.diet} dishes={instead} />
          <AllergenWarningLine warning={cell.warning} />
          <With custody={cell.custody} />
          {open && (
            <Text as="span" tone="soft" size="small">
              Annuler…
            </Text>
          )}
        </span>
      </button>
    );
  }
  const closedSince = cell.orderUntil !== null && cell.orderUntil < now ? cell.orderUntil : null;
  const why =
    cell.closedWhy ??
    (closedSince
      ? `Commandes closes depuis le ${formatDate(closedSince).slice(0, 5)} à ${formatTime(closedSince)}`
      : cell.problem);
  if (cell.closedWhy === null && !closedSince && !cell.chosen && isFull(cell)) {
    return <FullMeal person={person} cell={cell} />;
  }
  if (why !== null && !cell.chosen) {
    return (
      <p className={styles.meal} data-state="off">
        <span className={styles.mealWords}>
          <span className={styles.mealName}>{label}</span>
          <Text as="span" tone="soft" size="small">
            {why}
          </Text>
          {cell.closedWhy === null && <With custody={cell.custody} />}
        </span>
      </p>
    );
  }
  const chosen = pendingChoice ?? cell.chosen;
  const offered = cell.wait?.state === "offered" ? cell.wait.offeredUntil : null;
  return (
    <button
      type="button"
      className={styles.meal}
      data-state={chosen ? "chosen" : "open"}
      aria-pressed={chosen}
      aria-busy={pendingChoice !== undefined || undefined}
      aria-disabled={pendingChoice !== undefined || undefined}
      onClick={() => pendingChoice === undefined && onPress(person, cell)}
    >
      <Icon name={chosen ? "check" : "plus"} size={20} />
      <span className={styles.mealWords}>
        <span className={styles.mealName}>{label}</span>
        <span>
          {formatMoney(cell.priceCents ?? 0)}
          {cell.priceReason !== "" && ` · ${cell.priceReason}`}
        </span>
        <Instead diet={person.diet} dishes={instead} />
        <With custody={cell.custody} />
        {cell.orderUntil && <Until until={cell.orderUntil} now={now} />}
        <AllergenWarningLine warning={cell.warning} />
        {offered && <HeldUntil until={offered} />}
        {!offered && cell.seatsLeft < 10 && (
          <Text as="span" tone="soft" size="small">
            {plural(cell.seatsLeft, "place")}
          </Text>
        )}
      </span>
    </button>
  );
}

/** The dish that somebody with a diet is served that day instead of everybody's. */
const Instead = ({ diet, dishes }: { diet: Diet; dishes: readonly Dish[] }) =>
  dishes.length > 0 && (
    <Text as="span" tone="soft" size="small">
      {dietNames[diet]}
      {"\u202f"}: {dishes.map(({ name }) => name).join(", ")}
    </Text>
  );

/** With whom a child of two guardians is that day. */
const With = ({ custody }: Pick<MealCell, "custody">) =>
  custody && (
    <Text as="span" tone="soft" size="small">
      {custody.own ? "Chez vous" : `Chez ${firstName(custody.name)}`}
    </Text>
  );

const hour = 3_600_000;

/** Until when it can be ordered; in the last day, what remains. */
function Until({ until, now }: { until: string; now: string }) {
  const left = Date.parse(until) - Date.parse(now);
  const [skewMs] = useState(() => Date.parse(now) - Date.now());
  return (
    <Text as="span" tone="soft" size="small">
      {left < 24 * hour ? (
        <>
          Encore <Countdown until={until} skewMs={skewMs} />
        </>
      ) : (
        `Jusqu’au ${formatDate(until).slice(0, 5)} à ${formatTime(until)}`
      )}
    </Text>
  );
}
