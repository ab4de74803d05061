// The bar at the foot while several meals are picked to be cancelled: how many, what is refunded, the act.
import { useState } from "react";
import { formatCredited, formatStillDue, plural } from "#contract/french.ts";
import { maxMealsAtOnce } from "#contract/meals/limits.ts";
import type { MealOrder } from "#contract/meals/orders.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { FootBar } from "#web/ui/foot-bar.tsx";
import { Row } from "#web/ui/stack.tsx";
import { CancelMeals } from "./cancel-meals.tsx";

export function CancelBar({
  orders,
  onClose,
}: {
  orders: readonly MealOrder[];
  onClose: () => void;
}) {
  // What is asked about stays the same, whatever happens to a meal meanwhile.
  const [confirmed, setConfirmed] = useState<readonly string[] | null>(null);
  const count = orders.length;
  const priceCents = orders.reduce((sum, order) => sum + order.priceCents, 0);
  const costCents = orders.reduce((sum, { cancelCostCents }) => sum + cancelCostCents, 0);
  const words = [
    priceCents > costCents && formatCredited(priceCents - costCents),
    costCents > 0 && formatStillDue(costCents),
  ].filter((part) => part !== false);
  return (
    <>
      <FootBar
        summary={
          count === 0
            ? "Choisissez les jours à annuler"
            : plural(count, "repas choisi", "repas choisis")
        }
        hint={
          count > maxMealsAtOnce ? `${maxMealsAtOnce} repas au plus à la fois` : words.join(", ")
        }
      >
        <Row gap={8} wrap={false}>
          <IconButton icon="close" label="Ne rien annuler" onClick={onClose} />
          <Button
            kind="danger"
            disabled={count === 0 || count > maxMealsAtOnce}
            onClick={() => setConfirmed(orders.map(({ id }) => id))}
          >
            {count === 0 ? "Annuler" : `Annuler ${plural(count, "repas", "repas")}`}
          </Button>
        </Row>
      </FootBar>
      {confirmed && (
        <CancelMeals orders={confirmed} onClose={() => setConfirmed(null)} onCancelled={onClose} />
      )}
    </>
  );
}
