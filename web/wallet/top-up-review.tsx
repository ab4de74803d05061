// Second step of a top-up: everything once more, then the one button that leads to the payment.
import type { Card } from "#contract/cards.ts";
import { formatCardnumber } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet.ts";
import { ApiProblem } from "#web/app/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { ownerName } from "./reachable-wallets.ts";
import { short } from "./top-up-limits.ts";

export function TopUpReview({
  wallet,
  card,
  amountCents,
  sandbox,
  starting,
  problem,
  onStart,
  onBack,
}: {
  wallet: Wallet;
  card: Card | null;
  amountCents: number;
  /** Whether payments are fictitious here. */
  sandbox: boolean;
  starting: boolean;
  problem: Error | null;
  onStart: () => void;
  onBack: () => void;
}) {
  return (
    <div className="top-up-form">
      <h2 className="top-up-heading">Vérifiez avant de payer</h2>
      <p className="top-up-amount">
        <Money cents={amountCents} size="hero" />
      </p>
      <DefinitionList
        items={[
          { label: "Cagnotte", value: wallet.name },
          {
            label: ownerName(card),
            value: formatCardnumber(wallet.cardnumber),
          },
          { label: "Solde ensuite", value: <Money cents={wallet.balanceCents + amountCents} /> },
        ]}
      />
      {problem && <Refusal problem={problem} onBack={onBack} />}
      <Button kind="primary" wide icon="lock" loading={starting} onClick={onStart}>
        Recharger {short(amountCents)}
      </Button>
      <p className="top-up-note">
        Vous payez par carte bancaire sur la page sécurisée de notre prestataire, puis vous revenez
        ici suivre votre recharge.
        {sandbox && " Paiements fictifs\u202f: rien n’est débité."}
      </p>
    </div>
  );
}

/** What was refused and what to do; without an answer, that trying again is safe. */
function Refusal({ problem, onBack }: { problem: Error; onBack: () => void }) {
  if (problem instanceof ApiProblem && problem.definite) {
    return (
      <Banner
        tone="danger"
        alert
        title="La recharge n’a pas commencé."
        actions={
          <Button size="small" icon="edit" onClick={onBack}>
            Changer le montant
          </Button>
        }
      >
        {problem.message}
      </Banner>
    );
  }
  return (
    <Banner tone="warning" alert title="La page de paiement n’a pas pu s’ouvrir.">
      {problem.message} Vous pouvez réessayer sans crainte&#8239;: rien n’a été débité.
    </Banner>
  );
}
