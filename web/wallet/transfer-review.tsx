// Second step of a transfer: everything once more, then the one button that sends.
import type { Card } from "#contract/cards/rows.ts";
import { firstName, formatCardnumber, formatMoney } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { ApiProblem } from "#web/app/transport/api.ts";
import { RefusedBanner } from "#web/app/shared/refused-banner.tsx";
import { TopUpLink, useTopUpOpen } from "./top-up-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import styles from "./transfer.module.css";

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
  return (
    <div className={styles.transferReview}>
      <h2>Vérifiez avant d’envoyer</h2>
      <p className={styles.transferAmount}>
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
        Envoyer {formatMoney(amountCents)} à {firstName(to.name)}
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

/** The refusal and what to do; without an answer, that trying again is safe. */
function Refusal({
  problem,
  wallet,
  onBack,
}: {
  problem: Error;
  wallet: Wallet;
  onBack: () => void;
}) {
  const takesMoney = useTopUpOpen();
  const { code, why } =
    problem instanceof ApiProblem
      ? { code: problem.code, why: problem.details["why"] }
      : { code: null, why: null };
  return (
    <RefusedBanner
      problem={problem}
      title="Le virement n’est pas parti."
      unknown="Nous ne savons pas encore si le virement est parti."
      again="l’argent ne partira qu’une fois"
      more={typeof why === "string" && why}
      actions={
        code === "insufficient_funds" && takesMoney ? (
          <TopUpLink wallet={wallet} size="small" icon="plus" />
        ) : (
          <Button size="small" icon="edit" onClick={onBack}>
            Modifier
          </Button>
        )
      }
    />
  );
}
