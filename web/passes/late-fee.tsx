// The late fee of a school pass, and the request for an exemption.
import { lazy, Suspense, useState } from "react";
import { formatMoney } from "#contract/french.ts";
import type { PassOrder } from "#contract/passes/rows.ts";
import { AnswerDelay } from "#web/app/shared/answer-delay.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";

const ExemptionForm = lazy(async () => ({
  default: (await import("./exemption-form.tsx")).ExemptionForm,
}));

interface Late {
  order: string;
  feeCents: number;
  exemption: PassOrder["exemption"]["state"];
  answer: string | null;
  requestedAt: string | null;
}

/** The state of the request, or the button to make it. */
export function LateFee({ late }: { late: Late }) {
  const [asking, setAsking] = useState(false);
  const fee = formatMoney(late.feeCents);
  if (late.exemption === "requested") {
    return (
      <Banner title="Dispense des frais de retard demandée">
        {late.requestedAt && <AnswerDelay what="exemption" requestedAt={late.requestedAt} />}
      </Banner>
    );
  }
  if (late.exemption === "accepted") {
    return <Banner tone="success" title="Vous êtes dispensé des frais de retard." />;
  }
  if (late.exemption === "refused") {
    return (
      <Banner tone="warning" title={`Les frais de retard de ${fee} sont maintenus.`}>
        {late.answer}
      </Banner>
    );
  }
  if (asking) {
    return (
      <Suspense
        fallback={
          <Loading>
            <Skeleton lines={2} height="6rem" />
          </Loading>
        }
      >
        <ExemptionForm order={late.order} onClose={() => setAsking(false)} />
      </Suspense>
    );
  }
  return (
    <Banner
      title={`Dont ${fee} de frais de retard`}
      actions={
        <Button size="small" onClick={() => setAsking(true)}>
          Demander une dispense
        </Button>
      }
    >
      Un déménagement ou une inscription tardive peut vous en dispenser.
    </Banner>
  );
}
