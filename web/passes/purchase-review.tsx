// Second step of a purchase: everything once more, the price explained, who pays, and the one button.
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import type { PassOrder } from "#contract/passes/rows.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { PriceExplained } from "./price-explained.tsx";
import styles from "./passes.module.css";

const PayPass = lazy(async () => ({ default: (await import("./pay-pass.tsx")).PayPass }));
// Most passes have no late fee.
const LateFee = lazy(async () => ({ default: (await import("./late-fee.tsx")).LateFee }));

export function PurchaseReview({ order, onBack }: { order: PassOrder; onBack: () => void }) {
  const { price, product, holder, startOn, lastDay, stop } = order;
  return (
    <div className={styles.purchase}>
      <StepHeading>Vérifiez avant de payer</StepHeading>
      <DefinitionList
        items={[
          { label: "Titre", value: product.name },
          { label: "Lignes", value: order.group.name },
          { label: "Voyageur", value: holder },
          startOn
            ? { label: "Premier jour", value: formatDate(startOn) }
            : { label: "Validité", value: "Dès le paiement" },
          lastDay && lastDay !== startOn
            ? { label: "Dernier jour", value: formatDate(lastDay) }
            : null,
          stop ? { label: "Arrêt de montée", value: stop.name } : null,
        ]}
      />
      <PriceExplained order={order} />
      {(price.lateFeeCents > 0 || order.exemption.state !== "none") && (
        <Suspense fallback={<Skeleton height="6rem" />}>
          <LateFee
            late={{
              order: order.id,
              feeCents: price.lateFeeCents,
              exemption: order.exemption.state,
              answer: order.exemption.answer,
              requestedAt: order.exemption.requestedAt,
            }}
          />
        </Suspense>
      )}
      <Suspense fallback={<Skeleton height="6rem" />}>
        <PayPass order={order} onBack={onBack} />
      </Suspense>
      <AbandonPurchase order={order} />
    </div>
  );
}

/** Also while a payment is under way: money that still comes stays in the wallet. */
export function AbandonPurchase({ order }: { order: PassOrder }) {
  const give = useAction(() => call(api.passes.cancel, { order: order.id }));
  return (
    <>
      <Button kind="ghost" wide loading={give.isPending} onClick={() => give.send()}>
        Abandonner cet achat
      </Button>
      <ProblemBanner problem={give.problem} title="L’achat n’est pas abandonné." />
    </>
  );
}
