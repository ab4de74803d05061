// The bar at the foot of the week: what is chosen at the provider, and its order.
import { useEffect, useState } from "react";
import { formatMoney, plural } from "#contract/french.ts";
import { Button } from "#web/ui/button.tsx";
import { FootBar } from "#web/ui/foot-bar.tsx";
import type { useMealChoice } from "./use-meal-choice.ts";

/** What is chosen, of whatever week, and its order once all that was pressed is saved. */
export function Chosen({
  count,
  totalCents,
  others,
  choice,
  onOrder,
}: {
  /** Meals that are chosen, of whatever week; one at least. */
  count: number;
  totalCents: number;
  /** How many of them are of other weeks than the one that is shown. */
  others: number;
  choice: ReturnType<typeof useMealChoice>;
  onOrder: () => void;
}) {
  const [ordering, setOrdering] = useState<{ problem: unknown } | null>(null);
  const isSaving = choice.pending.length > 0;
  useEffect(() => {
    if (!ordering || isSaving) return;
    setOrdering(null);
    // Refused since the press: read first.
    if (choice.problem === ordering.problem && !choice.sameTime) onOrder();
    // oxlint-disable-next-line react/exhaustive-deps -- once what was pressed is saved
  }, [ordering, isSaving]);
  return (
    <FootBar
      summary={`${plural(count, "repas", "repas")}, ${formatMoney(totalCents)}`}
      hint={
        others > 0 && (others === count ? "D’autres semaines" : `Dont ${others} d’autres semaines`)
      }
    >
      <Button
        kind="primary"
        loading={ordering !== null}
        onClick={() => setOrdering({ problem: choice.problem })}
      >
        Commander
      </Button>
    </FootBar>
  );
}
