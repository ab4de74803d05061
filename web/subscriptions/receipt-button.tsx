// The receipt of a paid subscription, saved as a file.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { call } from "#web/app/api.ts";
import { save } from "#web/app/save.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";

export function ReceiptButton({
  id,
  small = false,
  of,
}: {
  id: string;
  small?: boolean;
  /** The formula, where several receipts stand on one screen. */
  of?: string;
}) {
  const receipt = useMutation({
    mutationFn: async () => save(await call(api.subscriptions.receipt, { id })),
  });
  return (
    <>
      <Button
        size={small ? "small" : "normal"}
        icon="document"
        loading={receipt.isPending}
        onClick={() => receipt.mutate()}
      >
        {small ? "Reçu" : "Télécharger le reçu (PDF)"}
        {of && <span className="unseen"> de l’abonnement {of}</span>}
      </Button>
      <ProblemBanner problem={receipt.error} title="Le reçu n’a pas pu être préparé." />
    </>
  );
}
