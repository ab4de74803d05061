// The waiting list of a full service, in the week: joining, one's place in the line, leaving.
import { api } from "#contract/api.ts";
import type { MealCell } from "#contract/meals/orders.ts";
import { formatDayInWords, formatTime } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Button } from "#web/ui/button.tsx";
import styles from "./family-meals.module.css";

interface Waited {
  /** `label` names the person, and the canteen where there are several. */
  person: { registration: string; label: string };
  cell: MealCell;
}

/** Whether a cell is full: one waits for a seat of it, or may. */
export const isFull = ({ canWait, wait, problem }: MealCell): boolean =>
  canWait || (wait?.state === "waiting" && problem !== null);

/** A full service: its line to join, or one's place in it. */
export const FullMeal = ({ person, cell }: Waited) => (
  <div className={styles.meal} data-state="off">
    <span className={styles.mealWords}>
      <span className={styles.mealName}>{person.label}</span>
      <span>{cell.wait ? `En attente, ${ordinal(cell.wait.place)}` : "Complet"}</span>
      <WaitAct person={person} cell={cell} />
    </span>
  </div>
);

/** The action on a wait: beginning it, ending it, leaving the seat that is kept. */
export function WaitAct({ person, cell }: Waited) {
  const act = useAction(
    () =>
      cell.wait
        ? call(api.canteen.leaveWaitingList, { id: cell.wait.id })
        : call(api.canteen.joinWaitingList, { registration: person.registration, day: cell.day }),
    { says: ({ message }) => message },
  );
  const words = wordsOf(cell.wait);
  return (
    <>
      <Button
        size="small"
        {...(!cell.wait && { icon: "bell" as const })}
        loading={act.isPending}
        aria-label={`${words}, ${person.label}, ${formatDayInWords(cell.day)}`}
        onClick={() => !act.isPending && act.send()}
      >
        {words}
      </Button>
      {act.problem && (
        <span role="alert" className={styles.warned}>
          {act.problem.message}
        </span>
      )}
    </>
  );
}

function wordsOf(wait: MealCell["wait"]): string {
  if (!wait) return "Attendre une place";
  return wait.state === "offered" ? "Laisser cette place" : "Ne plus attendre";
}

/** Until when a seat is kept, on the meal to order. */
export const HeldUntil = ({ until }: { until: string }) => (
  <strong>Place gardée jusqu’à {formatTime(until)}</strong>
);

const ordinal = (place: number): string => (place === 1 ? "1er" : `${place}e`);
