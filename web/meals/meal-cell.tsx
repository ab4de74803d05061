// A meal of a person on a day of the week, as one cell: chosen by a press, cancelled by a press once it is ordered.
import { warningWords } from "#contract/kitchen/dish-allergens.ts";
import { mealOrderStateNames } from "#contract/meals/states.ts";
import { firstName, formatDayInWords, formatMoney, shortWeekday } from "#contract/french.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { isChoice, type Slot, type SlotState } from "./week-slots.ts";
import styles from "./week-grid.module.css";

const icons: Readonly<Record<SlotState, IconName>> = {
  elsewhere: "minus",
  closed: "minus",
  late: "clock",
  unavailable: "minus",
  full: "people",
  open: "plus",
  chosen: "check",
  ordered: "check",
};

/** What a cell says in a word. */
function wordOf({ cell, state }: Slot): string {
  if (cell.order) return mealOrderStateNames[cell.order.state];
  if (isChoice({ state })) {
    return cell.wait?.state === "offered" ? "Gardée" : formatMoney(cell.priceCents ?? 0);
  }
  if (state === "full") return cell.wait ? "Attente" : "Complet";
  return state === "late" ? "Clos" : "";
}

/** Why nothing can be done with a slot, as a sentence; null where something can. */
const whyNot = ({ cell, state }: Slot): string | null =>
  state === "late" ? "commandes closes" : (cell.closedWhy ?? cell.problem);

export function MealCellButton({ slot, onPress }: { slot: Slot; onPress: (slot: Slot) => void }) {
  const { person, cell, state, isPending } = slot;
  const isToggle = isChoice(slot);
  const canPress = isToggle || state === "full" || (cell.order?.canCancel ?? false);
  const word = wordOf(slot);
  const inside = (
    <>
      <Icon name={icons[state]} size={20} />
      <span className={styles.cellDay} aria-hidden="true">
        {shortWeekday(cell.day)} {Number(cell.day.slice(8))}
      </span>
      <span className="unseen">
        {person.label}, {formatDayInWords(cell.day)}
        {cell.custody && `, chez ${cell.custody.own ? "vous" : firstName(cell.custody.name)}`}
        &#8239;:{" "}
      </span>
      {word !== "" ? (
        <span className={styles.word}>{word}</span>
      ) : (
        <span className="unseen">{whyNot(slot)}</span>
      )}
      {cell.warning && (
        <span className={styles.mark}>
          <Icon name="warning" size={16} />
          <span className="unseen">, au menu&#8239;: {warningWords(cell.warning)}</span>
        </span>
      )}
    </>
  );
  const looks = {
    className: styles.cell,
    "data-state": state,
    // Only where a press chooses: what is not chosen with the others is told from what is.
    "data-away": (isToggle && cell.custody && !cell.custody.own) || undefined,
  };
  if (state === "elsewhere") return <span {...looks} aria-hidden="true" />;
  if (!canPress) return <span {...looks}>{inside}</span>;
  return (
    <button
      {...looks}
      type="button"
      aria-pressed={isToggle ? state === "chosen" : undefined}
      aria-busy={isPending || undefined}
      onClick={() => onPress(slot)}
    >
      {inside}
    </button>
  );
}
