// Cancelling meals, for the cost that is shown.
import { api } from "#contract/api.ts";
import type { MealOrder } from "#contract/meals/orders.ts";
import { cancelAllQuestion, cancelledWords, cancelQuestion } from "#contract/meals/cancel-words.ts";
import {
  firstName,
  formatDayInWords,
  formatShortDay,
  listInWords,
  plural,
  thin,
} from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { AlertDialog, Dialog } from "#web/ui/dialog.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { AllergenWarningLine } from "./allergen-warning.tsx";

export function CancelMeals({
  orders,
  onClose,
  onCancelled,
}: {
  orders: readonly string[];
  onClose: () => void;
  onCancelled?: () => void;
}) {
  const answer = useAnswer(api.canteen.cancelPreview, { orders: [...orders] });
  if (!answer.data) {
    return (
      <Dialog
        open
        onClose={onClose}
        title={orders.length === 1 ? "Annuler ce repas" : "Annuler ces repas"}
      >
        <NotLoaded answer={answer} label="Calcul de ce qui est rendu…" lines={2} />
      </Dialog>
    );
  }
  return <Confirm items={answer.data.items} {...{ onClose, onCancelled }} />;
}

function Confirm({
  items,
  onClose,
  onCancelled,
}: {
  items: readonly MealOrder[];
  onClose: () => void;
  onCancelled: (() => void) | undefined;
}) {
  const payers = [...new Set(items.flatMap(({ paidBy }) => paidBy))];
  const priceCents = items.reduce((sum, one) => sum + one.priceCents, 0);
  const costCents = items.reduce((sum, { cancelCostCents }) => sum + cancelCostCents, 0);
  const { length } = items;
  const cancel = useAction(
    () => call(api.canteen.cancelOrders, { orders: items.map(({ id }) => id), costCents }),
    {
      says: ({ releasedCents }) => cancelledWords(releasedCents, payers, length),
      onDone: () => {
        onClose();
        onCancelled?.();
      },
    },
  );
  const [first] = items;
  const one = length === 1 ? first : undefined;
  const reviewed = one?.toReview ? one : undefined;
  const keep = useAction(
    () => call(api.canteen.keepOrders, { orders: items.map(({ id }) => id) }),
    {
      says: ({ message }) => message,
      onDone: onClose,
    },
  );
  const these = one ? "ce repas" : `ces ${length} repas`;
  return (
    <AlertDialog
      open
      onClose={onClose}
      onDecline={() => (reviewed ? keep.send() : onClose())}
      title={`${reviewed ? "Garder" : "Annuler"} ${these}${thin}?`}
      confirm={one ? "Annuler le repas" : `Annuler les ${length} repas`}
      cancel={one ? "Garder le repas" : "Les garder"}
      danger
      loading={cancel.isPending || keep.isPending}
      onConfirm={() => cancel.send()}
    >
      {one ? (
        <>
          <p>
            {firstName(one.name)}, {formatDayInWords(one.day)}, {one.canteen}.
          </p>
          <AllergenWarningLine warning={one.warning} />
          <p>
            {cancelQuestion(
              { priceCents, cancelCostCents: costCents, cancelUntil: one.cancelUntil },
              payers,
            )}
          </p>
        </>
      ) : (
        <>
          <ul>
            {[...Map.groupBy(items, ({ cardnumber }) => cardnumber)].map(([cardnumber, meals]) => (
              <li key={cardnumber}>
                {firstName(
                  meals[0]?.name ?? "",
                  items.map(({ name }) => name),
                )}
                {thin}: {daysInWords(meals)}
              </li>
            ))}
          </ul>
          <p>{cancelAllQuestion(items, payers)}</p>
        </>
      )}
      <ProblemBanner problem={cancel.problem ?? keep.problem} />
    </AlertDialog>
  );
}

/** Days that are named one by one; more are a count and the two ends. */
const maxNamedDays = 5;

/** « lun. 7 déc. et mar. 8 déc. »; « 12 repas entre le lun. 7 déc. et le ven. 18 déc. » */
function daysInWords(meals: readonly MealOrder[]): string {
  const days = [...new Set(meals.map(({ day }) => day))].toSorted();
  const [first = "", last = first] = [days[0], days.at(-1)];
  return days.length <= maxNamedDays
    ? listInWords(days.map(formatShortDay))
    : `${plural(meals.length, "repas", "repas")} entre le ${formatShortDay(first)} et le ${formatShortDay(last)}`;
}
