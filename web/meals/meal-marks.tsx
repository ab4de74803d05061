// The marks of meals in a month: the initials of who eats, drawn by what can still be done about the meal; their
// legend, and what they say.
import type { MealOrder } from "#contract/meals/orders.ts";
import { mealOrderCan, mealOrderStateNames } from "#contract/meals/states.ts";
import { firstName, thin } from "#contract/french.ts";
import { Icon } from "#web/ui/icon.tsx";
import styles from "./meals-month.module.css";

const marks = {
  free: "Gratuit à annuler",
  fixed: "Plus annulable sans frais",
  served: "Servi",
  cancelled: "Annulé",
  missed: "Refusé, absent ou expiré",
} as const;
type Mark = keyof typeof marks;

/** Whether a meal to come can still be cancelled at no cost. */
export const isFreeToCancel = ({ canCancel, cancelCostCents }: MealOrder): boolean =>
  canCancel && cancelCostCents === 0;

function markOf(order: MealOrder): Mark {
  if (mealOrderCan.hold(order)) return isFreeToCancel(order) ? "free" : "fixed";
  return order.state === "served" || order.state === "cancelled" ? order.state : "missed";
}

/** How many people have a colour of their own; the next ones begin again. */
const inkCount = 4;

/** Somebody who eats, with what tells them from the others in a mark. */
export interface Eater {
  cardnumber: number;
  name: string;
  /** One letter, or two where others have the same first one. */
  letters: string;
  ink: number;
}

/** Who eats some meals, by name. */
export function eatersOf(orders: readonly MealOrder[]): Eater[] {
  const people = [...new Map(orders.map(({ cardnumber, name }) => [cardnumber, name]))].toSorted(
    ([, a], [, b]) => a.localeCompare(b, "fr"),
  );
  return people.map(([cardnumber, name], place) => {
    const first = name.charAt(0);
    const isAlone = people.filter(([, other]) => other.charAt(0) === first).length === 1;
    return { cardnumber, name, letters: name.slice(0, isAlone ? 1 : 2), ink: place % inkCount };
  });
}

/** Without the meals that were cancelled and ordered anew. */
export const drawnOrders = (orders: readonly MealOrder[]): MealOrder[] =>
  orders.filter((order, place) => {
    const isSame = (other: MealOrder) =>
      other.cardnumber === order.cardnumber && other.canteen === order.canteen;
    return (
      order.state !== "cancelled" ||
      !orders.some((other, at) => isSame(other) && (other.state !== "cancelled" || at > place))
    );
  });

/** « Jade, gratuit à annuler » */
const inWords = (order: MealOrder, names: readonly string[]): string => {
  const mark = markOf(order);
  const state = mark === "missed" ? mealOrderStateNames[order.state] : marks[mark];
  const warning = order.warning ? ", allergène au menu" : "";
  return `${firstName(order.name, names)}, ${state.toLowerCase()}${warning}`;
};

/** What a day of the month says of its meals: « : Jade, servi ; Léo, annulé ». */
export const marksInWords = (orders: readonly MealOrder[], names: readonly string[]): string =>
  orders.length === 0
    ? ""
    : `${thin}: ${orders.map((order) => inWords(order, names)).join(`${thin}; `)}`;

const MarkDrawing = ({ mark, eater }: { mark: Mark; eater: Eater | undefined }) => (
  <span className={styles.mark} data-mark={mark} data-ink={eater?.ink} aria-hidden="true">
    {eater?.letters}
  </span>
);

/** The mark of a person, for a filter. */
export const PersonMark = ({ eater }: { eater: Eater }) => (
  <MarkDrawing mark="fixed" eater={eater} />
);

export const MealMarks = ({
  orders,
  eaters,
}: {
  orders: readonly MealOrder[];
  eaters: readonly Eater[];
}) => (
  <span className={styles.marks} aria-hidden="true">
    {orders.map((order) => (
      <MarkDrawing
        key={order.id}
        mark={markOf(order)}
        eater={eaters.find(({ cardnumber }) => cardnumber === order.cardnumber)}
      />
    ))}
    {orders.some(({ warning }) => warning) && (
      <span className={styles.warning}>
        <Icon name="warning" size={16} />
      </span>
    )}
  </span>
);

/** The marks that a month has, and the triangle where a menu holds an allergen. */
export function MarksLegend({ orders }: { orders: readonly MealOrder[] }) {
  const present = new Set(orders.map(markOf));
  return (
    <ul className={styles.legend}>
      {(Object.keys(marks) as Mark[])
        .filter((mark) => present.has(mark))
        .map((mark) => (
          <li key={mark}>
            <MarkDrawing mark={mark} eater={undefined} />
            {marks[mark]}
          </li>
        ))}
      {orders.some(({ warning }) => warning) && (
        <li>
          <span className={styles.warning}>
            <Icon name="warning" size={16} />
          </span>
          Allergène au menu
        </li>
      )}
    </ul>
  );
}
