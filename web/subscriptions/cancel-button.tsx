// Cancelling within 14 days asks before it acts, and says what comes back where.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { notify } from "#web/ui/toast.tsx";
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
  const cancel = useMutation<{ message: string }, ApiProblem>({
    mutationFn: () => call(api.subscriptions.cancel, { id }),
    onSuccess: ({ message }) => {
      setAsking(false);
      notify({ text: message, kind: "success" });
      onDone?.();
    },
    onError: () => setAsking(false),
    onSettled: refreshUser,
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>Annuler l’abonnement</Button>
      <ProblemBanner problem={cancel.error} title="L’abonnement n’a pas été annulé." />
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={"Annuler cet abonnement\u202f?"}
        confirm="Annuler l’abonnement"
        cancel="Garder"
        danger
        loading={cancel.isPending}
        onConfirm={() => cancel.mutate()}
      >
        {paidCents > 0 &&
          `${formatMoney(paidCents)} ${paidCents < 200 ? "reviendra" : "reviendront"} sur la cagnotte qui a payé. `}
        {begun ? "L’abonnement s’arrêtera tout de suite." : "L’abonnement ne commencera pas."}
      </AlertDialog>
    </>
  );
}
