// The end of a transfer: what happened and what comes next.
import type { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { firstName, formatMoney } from "#contract/french.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { Picture } from "#web/ui/picture.tsx";
import styles from "./transfer.module.css";

export type Sent = Output<typeof api.wallet.transfer>;

export function TransferDone({ sent, onAgain }: { sent: Sent; onAgain: () => void }) {
  return (
    <div className={styles.transferDone}>
      <Picture icon="check" tone="success" />
      <h2>
        {formatMoney(sent.amountCents)} envoyés à {sent.toName}
      </h2>
      <p>
        {firstName(sent.toName)} reçoit une notification et peut s’en servir dès maintenant. Le
        virement est dans vos opérations.
      </p>
      <DefinitionList
        items={[
          { label: "Envoyé le", value: <DateText at={sent.at} time /> },
          { label: "Solde de la cagnotte", value: <Money cents={sent.balanceCents} /> },
        ]}
      />
      <div className={styles.transferWays}>
        <ButtonLink kind="primary" href="/dashboard">
          Revenir à ma carte
        </ButtonLink>
        <Button onClick={onAgain}>Faire un autre virement</Button>
      </div>
    </div>
  );
}
