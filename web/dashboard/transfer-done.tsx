// The end of a transfer: what happened and what comes next.
import { formatMoney } from "#contract/french.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { Picture } from "#web/ui/picture.tsx";
import type { Sent } from "./transfer-page.tsx";

export function TransferDone({ sent, onAgain }: { sent: Sent; onAgain: () => void }) {
  const firstName = sent.toName.split(" ")[0] ?? sent.toName;
  return (
    <div className="transfer-done">
      <Picture icon="check" tone="success" />
      <h2>
        {formatMoney(sent.amountCents)} envoyés à {sent.toName}
      </h2>
      <p>
        {firstName} reçoit une notification et peut s’en servir dès maintenant. Le virement est dans
        vos opérations.
      </p>
      <DefinitionList
        items={[
          { label: "Envoyé le", value: <DateText at={sent.at} time /> },
          { label: "Solde de la cagnotte", value: <Money cents={sent.balanceCents} /> },
        ]}
      />
      <div className="transfer-ways">
        <ButtonLink kind="primary" href="/dashboard">
          Revenir à ma carte
        </ButtonLink>
        <Button onClick={onAgain}>Faire un autre virement</Button>
      </div>
    </div>
  );
}
