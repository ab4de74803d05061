// Second step of a transfer: everything once more, then the one button that sends.
import type { Card } from "#contract/cards.ts";
import { formatCardnumber, formatMoney } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet.ts";
import { ApiProblem } from "#web/app/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { topUpPath } from "./transfer-form.tsx";

export function TransferReview({
  from,
  to,
  wallet,
  amountCents,
  sending,
  problem,
  onSend,
  onGiveUp,
  onBack,
}: {
  from: Card | null;
  to: Card;
  wallet: Wallet;
  amountCents: number;
  sending: boolean;
  problem: Error | null;
  /** `repeat` confirms an identical transfer within the minute. */
  onSend: (repeat: boolean) => void;
  onGiveUp: () => void;
  onBack: () => void;
}) {
  const asksAgain = problem instanceof ApiProblem && problem.code === "repeat_confirm";
  const firstName = to.name.split(" ")[0] ?? to.name;
  return (
    <div className="transfer-review">
      <h2>Vérifiez avant d’envoyer</h2>
      <p className="transfer-amount">
        <Money cents={amountCents} size="hero" />
      </p>
      <DefinitionList
        items={[
          { label: "Depuis", value: from?.relation === "self" ? "Ma carte" : (from?.name ?? "") },
          { label: "Vers", value: to.name },
          { label: "Carte", value: formatCardnumber(to.cardnumber) },
          {
            label: "Solde ensuite",
            value: <Money cents={wallet.balanceCents - amountCents} />,
          },
        ]}
      />
      {problem && !asksAgain && <Refusal problem={problem} wallet={wallet} onBack={onBack} />}
      <Button kind="primary" wide icon="send" loading={sending} onClick={() => onSend(false)}>
        Envoyer {formatMoney(amountCents)} à {firstName}
      </Button>
      <AlertDialog
        open={asksAgain}
        onClose={onGiveUp}
        title="Envoyer une seconde fois&#8239;?"
        confirm={`Envoyer encore ${formatMoney(amountCents)}`}
        cancel="Ne pas renvoyer"
        loading={sending}
        onConfirm={() => onSend(true)}
      >
        <p>{asksAgain && problem.message}</p>
      </AlertDialog>
    </div>
  );
}

/** What was refused and what to do; without an answer, that trying again is safe. */
function Refusal({
  problem,
  wallet,
  onBack,
}: {
  problem: Error;
  wallet: Wallet;
  onBack: () => void;
}) {
  const code = problem instanceof ApiProblem ? problem.code : null;
  if (problem instanceof ApiProblem && !problem.definite) {
    return (
      <Banner tone="warning" alert title="Nous ne savons pas encore si le virement est parti.">
        {problem.message} Vous pouvez réessayer sans crainte&#8239;: l’argent ne partira qu’une
        fois.
      </Banner>
    );
  }
  const why = problem instanceof ApiProblem ? problem.details["why"] : undefined;
  return (
    <Banner
      tone="danger"
      alert
      title="Le virement n’est pas parti."
      actions={
        code === "insufficient_funds" ? (
          <ButtonLink size="small" icon="plus" href={topUpPath(wallet)}>
            Recharger
          </ButtonLink>
        ) : (
          <Button size="small" icon="edit" onClick={onBack}>
            Modifier
          </Button>
        )
      }
    >
      {problem.message} {typeof why === "string" && why}
    </Banner>
  );
}
