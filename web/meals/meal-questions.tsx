// What is asked before meals are chosen all the same: allergens of the person at the menu, or not declared; a second
// meal at one time.
import { warningWords } from "#contract/kitchen/dish-allergens.ts";
import { formatDayInWords } from "#contract/french.ts";
import { AlertDialog } from "#web/ui/dialog.tsx";
import type { SameTimeQuestion } from "./use-meal-choice.ts";
import type { MealChoice, Slot } from "./week-slots.ts";
import styles from "./family-meals.module.css";

/** The allergens of a menu, said before its meal is chosen all the same. */
function riskWords({ person, cell }: Slot): string {
  const { label } = person;
  const on = formatDayInWords(cell.day);
  const undeclaredText = "les allergènes d’un plat ne sont pas renseignés";
  if (!cell.warning || cell.warning.allergens.length === 0) {
    return `Au menu du ${on}, ${undeclaredText}, et vous en avez déclaré pour ${label}. La cantine peut vous dire ce qu’il contient.`;
  }
  const held = warningWords({ ...cell.warning, undeclared: false });
  const more = cell.warning.undeclared ? ` De plus, ${undeclaredText}.` : "";
  return `Le menu du ${on} contient ${held}, que vous avez déclaré pour ${label}.${more}`;
}

/** Asks once for all the meals whose menu warns; nothing of them is chosen before. */
export function AllergenQuestion({
  slots,
  onConfirm,
  onClose,
}: {
  /** The meals whose menu warns, one at least. */
  slots: readonly Slot[];
  onConfirm: () => void;
  onClose: () => void;
}) {
  const isHeld = slots.some(({ cell }) => (cell.warning?.allergens.length ?? 0) > 0);
  const [first, ...others] = slots;
  const title = isHeld ? "Un allergène est au menu" : "Des allergènes ne sont pas renseignés";
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={others.length > 0 && isHeld ? "Des allergènes sont au menu" : title}
      cautious
      cancel={others.length > 0 ? "Ne pas les commander" : "Ne pas commander"}
      confirm={others.length > 0 ? "Les commander quand même" : "Commander quand même"}
      onConfirm={onConfirm}
    >
      {others.length === 0 && first ? (
        riskWords(first)
      ) : (
        <ul className={styles.risks}>
          {slots.map((slot) => (
            <li key={`${slot.person.registration} ${slot.cell.day}`}>{riskWords(slot)}</li>
          ))}
        </ul>
      )}
    </AlertDialog>
  );
}

/** Asks about meals at the same time as another: all of them, or the others alone. */
export function SameTime({
  question: { choice, words },
  choose,
  onClose,
}: {
  question: SameTimeQuestion;
  choose: (choice: MealChoice) => void;
  onClose: () => void;
}) {
  const isOne = choice.meals.length === 1;
  const answer = (sameTime: "confirmed" | "left out") => {
    onClose();
    choose({ ...choice, sameTime });
  };
  return (
    <AlertDialog
      open
      onClose={onClose}
      onDecline={() => (isOne ? onClose() : answer("left out"))}
      title="Deux repas à la même heure"
      cautious
      cancel="Ne pas commander"
      confirm="Commander aussi"
      onConfirm={() => answer("confirmed")}
    >
      {words}
    </AlertDialog>
  );
}
