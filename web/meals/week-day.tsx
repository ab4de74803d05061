// A day of the week of meals: its menu with the allergens of one's own people, and what there is to know and to do for
// each of them.
import { lazy, type ReactNode, Suspense, useState } from "react";
import { type Diet, dietNames } from "#contract/kitchen/states.ts";
import type { Allergen } from "#contract/allergies/rows.ts";
import type { Dish, MenuView } from "#contract/kitchen/menus.ts";
import type { MealCell } from "#contract/meals/orders.ts";
import { dishesReplacing, dishesServed } from "#contract/kitchen/served-dishes.ts";
import {
  firstName,
  formatDate,
  formatDayInWords,
  formatMoney,
  formatTime,
  plural,
} from "#contract/french.ts";
import { placeId } from "#contract/places.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Countdown } from "#web/ui/person.tsx";
import { Row } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { AllergenWarningLine } from "./allergen-warning.tsx";
import { DayMenu } from "./day-menu.tsx";
import { isChoice, priceWords, type Slot } from "./week-slots.ts";
import styles from "./week-grid.module.css";

const WaitAct = lazy(async () => ({
  default: (await import("./meal-waiting-list.tsx")).WaitAct,
}));

/** The element that says more of a slot than its cell. */
export const detailsIdOf = ({ person, cell }: Slot): string =>
  `repas-${person.registration}-${cell.day}`;

export function WeekDay({
  id,
  day,
  today,
  now,
  menu,
  slots,
  hasPrice,
  isSelected,
  tick,
  onPress,
}: {
  id: string;
  /** ISO date. */
  day: string;
  today: string;
  now: string;
  menu: MenuView | undefined;
  slots: readonly Slot[];
  /** Whether the price of a meal to choose is said here: its row does not say it for the whole week. */
  hasPrice: (slot: Slot) => boolean;
  /** On a narrow screen the only day that is seen. */
  isSelected: boolean;
  /** The box of all the meals of the day, where it has none above. */
  tick: ReactNode;
  onPress: (slot: Slot) => void;
}) {
  const deadlines = new Set(slots.filter(isChoice).map(({ cell }) => cell.orderUntil));
  const [deadline = null] = deadlines.size === 1 ? deadlines : [];
  const lines = slots.filter(
    (slot) =>
      slot.state !== "elsewhere" &&
      (day >= today || slot.cell.order) &&
      (hasPrice(slot) || hasDetails(slot, { menu, deadline })),
  );
  return (
    <li id={id} className={styles.day} data-selected={isSelected || undefined}>
      <div className={styles.dayTitle}>
        <h3>
          <span className={styles.dayName}>{formatDayInWords(day)}</span>
          {day === today && <Badge tone="info">Aujourd’hui</Badge>}
        </h3>
        {tick}
      </div>
      {deadline && <Until until={deadline} now={now} />}
      {lines.length > 0 && (
        <ul className={styles.people}>
          {lines.map((slot) => (
            <SlotLine
              key={slot.person.registration}
              slot={slot}
              now={now}
              hasDeadline={deadline === null}
              hasPrice={hasPrice(slot)}
              instead={menu ? dishesReplacing(menu.dishes, slot.person.diet) : []}
              onPress={onPress}
            />
          ))}
        </ul>
      )}
      {menu ? (
        <DayMenu menu={menu} warnedOf={(dish, allergen) => warnedOf(slots, menu, dish, allergen)} />
      ) : (
        <Text tone="soft" size="small">
          Menu à venir
        </Text>
      )}
    </li>
  );
}

/** Whether there is more to say of a slot than its cell and its row do. */
const hasDetails = (
  slot: Slot,
  { menu, deadline }: { menu: MenuView | undefined; deadline: string | null },
): boolean =>
  !isChoice(slot) ||
  (deadline === null && slot.cell.orderUntil !== null) ||
  slot.cell.custody !== null ||
  slot.cell.warning !== null ||
  slot.cell.wait !== null ||
  slot.cell.seatsLeft < fewSeats ||
  (menu !== undefined && dishesReplacing(menu.dishes, slot.person.diet).length > 0);

/** From how many seats on they are counted. */
const fewSeats = 10;

/** Who is served a dish with an allergen that they declared. */
function warnedOf(
  slots: readonly Slot[],
  menu: MenuView,
  dish: Dish,
  allergen: Allergen,
): string[] {
  const names = slots.map(({ person }) => person.name);
  const warned = slots.filter(
    ({ person, cell, state }) =>
      state !== "elsewhere" &&
      state !== "closed" &&
      cell.warning?.allergens.includes(allergen) &&
      dishesServed(menu.dishes, person.diet).includes(dish),
  );
  return [...new Set(warned.map(({ person }) => firstName(person.name, names)))];
}

function SlotLine({
  slot,
  now,
  hasDeadline,
  hasPrice,
  instead,
  onPress,
}: {
  slot: Slot;
  now: string;
  /** The day does not say it for all. */
  hasDeadline: boolean;
  hasPrice: boolean;
  /** Dishes of the day made for the person's diet. */
  instead: readonly Dish[];
  onPress: (slot: Slot) => void;
}) {
  const { person, cell, state } = slot;
  const { order, wait } = cell;
  const isOffered = wait?.state === "offered";
  return (
    <li id={wait ? placeId("mealWait", wait.id) : undefined} className={styles.person}>
      <span id={detailsIdOf(slot)} className={styles.details}>
        <span>
          <strong>{person.label}</strong>
          {(!isChoice(slot) || hasPrice) && <> · {wordsOf(slot)}</>}
        </span>
        {order?.orderedBy && <Soft>Commandé par {firstName(order.orderedBy)}</Soft>}
        {(order || isChoice(slot)) && <Instead diet={person.diet} dishes={instead} />}
        {state !== "closed" && <With custody={cell.custody} />}
        {isChoice(slot) && hasDeadline && cell.orderUntil && (
          <Until until={cell.orderUntil} now={now} />
        )}
        {(order || isChoice(slot)) && <AllergenWarningLine warning={cell.warning} />}
        {isOffered && wait.offeredUntil && (
          <strong>Place gardée jusqu’à {formatTime(wait.offeredUntil)}</strong>
        )}
        {isChoice(slot) && !isOffered && cell.seatsLeft < fewSeats && (
          <Soft>{plural(cell.seatsLeft, "place")}</Soft>
        )}
      </span>
      {order?.canCancel && (
        <Button
          size="small"
          kind="ghost"
          aria-label={`Annuler, ${person.label}, ${formatDayInWords(cell.day)}`}
          onClick={() => onPress(slot)}
        >
          Annuler
        </Button>
      )}
      {(state === "full" || isOffered) && (
        <Row gap={8}>
          {isOffered && state === "open" && (
            <Button
              size="small"
              aria-label={`Choisir, ${person.label}, ${formatDayInWords(cell.day)}`}
              onClick={() => onPress(slot)}
            >
              Choisir
            </Button>
          )}
          <Suspense fallback={<Skeleton height="36px" />}>
            <WaitAct person={person} cell={cell} />
          </Suspense>
        </Row>
      )}
    </li>
  );
}

/** A full service, or one's place in its line. */
const waitWords = ({ wait }: MealCell): string =>
  wait ? `En attente, ${wait.place === 1 ? "1er" : `${wait.place}e`}` : "Complet";

/** What a meal costs or why there is none. */
function wordsOf(slot: Slot): string {
  const { cell, state } = slot;
  if (cell.order) return formatMoney(cell.order.priceCents);
  if (state === "full") return waitWords(cell);
  if (state === "late" && cell.orderUntil) {
    return `commandes closes depuis le ${formatDate(cell.orderUntil).slice(0, 5)} à ${formatTime(cell.orderUntil)}`;
  }
  if (!isChoice(slot)) return cell.closedWhy ?? cell.problem ?? "";
  return priceWords(slot);
}

const Soft = ({ children }: { children: ReactNode }) => (
  <Text as="span" tone="soft" size="small">
    {children}
  </Text>
);

/** The dish that somebody with a diet is served that day instead of everybody's. */
const Instead = ({ diet, dishes }: { diet: Diet; dishes: readonly Dish[] }) =>
  dishes.length > 0 && (
    <Soft>
      {dietNames[diet]}
      {"\u202f"}: {dishes.map(({ name }) => name).join(", ")}
    </Soft>
  );

/** With whom a child of two guardians is that day. */
const With = ({ custody }: Pick<MealCell, "custody">) =>
  custody && <Soft>{custody.own ? "Chez vous" : `Chez ${firstName(custody.name)}`}</Soft>;

const hour = 3_600_000;

/** Until when it can be ordered; in the last day, what remains. */
function Until({ until, now }: { until: string; now: string }) {
  const left = Date.parse(until) - Date.parse(now);
  const [skewMs] = useState(() => Date.parse(now) - Date.now());
  return (
    <Soft>
      {left < 24 * hour ? (
        <>
          Encore <Countdown until={until} skewMs={skewMs} />
        </>
      ) : (
        `Commander jusqu’au ${formatDate(until).slice(0, 5)} à ${formatTime(until)}`
      )}
    </Soft>
  );
}
