// The receipt of a paid subscription, saved as a file.
import { api } from "#contract/api.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";

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
  return (
    <DownloadButton
      row={api.subscriptions.receipt}
      input={{ id }}
      failed="Le reçu n’a pas pu être préparé."
      size={small ? "small" : "normal"}
    >
      {small ? "Reçu" : "Télécharger le reçu (PDF)"}
      {of && <span className="unseen"> de l’abonnement {of}</span>}
    </DownloadButton>
  );
}
