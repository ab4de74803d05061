// The waiting list of a full service, in the week: joining, one's place in the line, leaving.
import { api } from "#contract/api.ts";
import type { MealCell } from "#contract/meals/orders.ts";
import { formatDayInWords } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Button } from "#web/ui/button.tsx";
import styles from "./family-meals.module.css";

interface Waited {
  /** `label` names the person, and the canteen where there are several. */
  person: { registration: string; label: string };
  cell: MealCell;
}

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
