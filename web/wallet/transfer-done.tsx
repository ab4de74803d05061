// The end of a transfer: what happened and what comes next. The address names it, so that a reload comes back to it.
import { api } from "#contract/api.ts";
import { firstName, formatCardnumber, formatSent } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import type { SentTransfer } from "#contract/wallet/sent.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { PaymentEnd } from "./payment-end.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DateText, Money } from "#web/ui/money.tsx";

export function TransferDone({ sent, onAgain }: { sent: SentTransfer; onAgain: () => void }) {
  return (
    <PaymentEnd
      title={`${formatSent(sent.amountCents)} à ${sent.toName}`}
      words={[
        `${firstName(sent.toName)} reçoit une notification et peut s’en servir dès maintenant. Le virement est dans vos opérations.`,
      ]}
      facts={[
        { label: "Montant", value: <Money cents={sent.amountCents} /> },
        { label: "Carte", value: formatCardnumber(sent.toCardnumber) },
        { label: "Envoyé le", value: <DateText at={sent.at} time /> },
        { label: "Solde après l’envoi", value: <Money cents={sent.balanceCents} /> },
      ]}
      acts={
        <>
          <ButtonLink kind="primary" href={paths.dashboard}>
            Revenir à ma carte
          </ButtonLink>
          <Button onClick={onAgain}>Faire un autre virement</Button>
          <DownloadButton
            row={api.wallet.sentReceipt}
            input={{ id: sent.id }}
            failed="Le reçu n’a pas pu être préparé."
          >
            Télécharger le reçu (PDF)
          </DownloadButton>
        </>
      }
    />
  );
}
