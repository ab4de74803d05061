// Cancelling within 14 days asks before it acts, and says what comes back where.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { Button } from "#web/ui/button.tsx";
import { refreshUser } from "./use-application.ts";

export function CancelButton({
  id,
  paidCents,
  begun,
  onDone,
}: {
  id: string;
  paidCents: number;
  /** Whether it runs: one that follows another, or whose documents are checked, has not begun. */
  begun: boolean;
  onDone?: () => void;
}) {
  const [asking, setAsking] = useState(false);
  const cancel = useAction(() => call(api.subscriptions.cancel, { id }), {
    says: ({ message }) => message,
    onDone: () => {
      onDone?.();
      return refreshUser();
    },
    // It may be over already, by another way.
    onRefused: refreshUser,
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>Annuler l’abonnement</Button>
      <ConfirmAction
        act={cancel}
        open={asking}
        onClose={() => setAsking(false)}
        failed="L’abonnement n’a pas été annulé."
        title={"Annuler cet abonnement\u202f?"}
        confirm="Annuler l’abonnement"
        cancel="Garder"
        danger
      >
        {paidCents > 0 &&
          `${formatMoney(paidCents)} ${paidCents < 200 ? "reviendra" : "reviendront"} sur la cagnotte qui a payé. `}
        {begun ? "L’abonnement s’arrêtera tout de suite." : "L’abonnement ne commencera pas."}
      </ConfirmAction>
    </>
  );
}
