// Cancelling meals, for the cost that is shown.
import { api } from "#contract/api.ts";
import type { MealOrder } from "#contract/meals/orders.ts";
import { cancelledWords, cancelQuestion } from "#contract/meals/cancel-words.ts";
import { firstName, formatDayInWords } from "#contract/french.ts";
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
}: {
  orders: readonly string[];
  onClose: () => void;
}) {
  const answer = useAnswer(api.canteen.cancelPreview, { orders: [...orders] });
  if (!answer.data) {
    return (
      <Dialog open onClose={onClose} title="Annuler ce repas">
        <NotLoaded answer={answer} label="Calcul de ce qui est rendu…" lines={2} />
      </Dialog>
    );
  }
  return <Confirm items={answer.data.items} onClose={onClose} />;
}

function Confirm({ items, onClose }: { items: readonly MealOrder[]; onClose: () => void }) {
  const payers = [...new Set(items.flatMap(({ paidBy }) => paidBy))];
  const priceCents = items.reduce((sum, one) => sum + one.priceCents, 0);
  const costCents = items.reduce((sum, { cancelCostCents }) => sum + cancelCostCents, 0);
  const cancel = useAction(
    () => call(api.canteen.cancelOrders, { orders: items.map(({ id }) => id), costCents }),
    { says: ({ releasedCents }) => cancelledWords(releasedCents, payers), onDone: onClose },
  );
  const [first] = items;
  const toReview = items.filter((one) => one.toReview).map(({ id }) => id);
  const keep = useAction(() => call(api.canteen.keepOrders, { orders: toReview }), {
    says: ({ message }) => message,
    onDone: onClose,
  });
  return (
    <AlertDialog
      open
      onClose={onClose}
      onDecline={() => (toReview.length > 0 ? keep.send() : onClose())}
      title={toReview.length > 0 ? "Garder ce repas\u202f?" : "Annuler ce repas\u202f?"}
      confirm="Annuler le repas"
      cancel="Garder le repas"
      danger
      loading={cancel.isPending || keep.isPending}
      onConfirm={() => cancel.send()}
    >
      {first && (
        <p>
          {firstName(first.name)}, {formatDayInWords(first.day)}, {first.canteen}.
        </p>
      )}
      {first && <AllergenWarningLine warning={first.warning} />}
      {first && (
        <p>
          {cancelQuestion(
            { priceCents, cancelCostCents: costCents, cancelUntil: first.cancelUntil },
            payers,
          )}
        </p>
      )}
      <ProblemBanner problem={cancel.problem ?? keep.problem} />
    </AlertDialog>
  );
}
