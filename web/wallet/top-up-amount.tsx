// How much to add, within the wallet's own limits, and the one button that leads to the payment.
import { type FormEvent, useRef, useState } from "react";
import { formatMoney } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { RefusedBanner } from "#web/app/refused-banner.tsx";
import { limitsHint, presetsOf, short, wrongAmount } from "#web/app/top-up-limits.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { Button } from "#web/ui/button.tsx";
import styles from "./top-up.module.css";

export function TopUpAmount({
  wallet,
  amountCents,
  sandbox,
  starting,
  problem,
  onAmount,
  onPay,
}: {
  wallet: Wallet;
  amountCents: number | null;
  /** Whether payments are fictitious here. */
  sandbox: boolean;
  starting: boolean;
  problem: Error | null;
  onAmount: (cents: number | null) => void;
  onPay: (cents: number) => void;
}) {
  // An amount that came with the address and is refused says why at once.
  const [told, setTold] = useState(amountCents !== null);
  const form = useRef<HTMLFormElement>(null);
  const wrong = wrongAmount(amountCents, wallet);
  const payable = wrong === null ? amountCents : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (starting) return;
    if (payable !== null) return onPay(payable);
    setTold(true);
    form.current?.querySelector<HTMLInputElement>("input[inputmode=decimal]")?.focus();
  };
  return (
    <form ref={form} className={styles.topUpForm} noValidate onSubmit={submit}>
      <h2 className={styles.topUpHeading}>Combien ajouter&#8239;?</h2>
      <p className={styles.topUpBalance}>
        Solde actuel <strong>{formatMoney(wallet.balanceCents)}</strong>
        {payable !== null && (
          <>
            , ensuite <strong>{formatMoney(wallet.balanceCents + payable)}</strong>
          </>
        )}
      </p>
      <AmountInput
        label="Montant"
        hint={limitsHint(wallet)}
        cents={amountCents}
        presetsCents={presetsOf(wallet)}
        error={told && wrong}
        onCents={(cents) => {
          setTold(false);
          onAmount(cents);
        }}
      />
      {problem && (
        <RefusedBanner
          problem={problem}
          title="La recharge n’a pas commencé."
          unknown="La page de paiement n’a pas pu s’ouvrir."
          again="rien n’a été débité"
        />
      )}
      <Button kind="primary" type="submit" wide icon="lock" loading={starting}>
        {payable === null ? "Payer" : `Payer ${short(payable)}`}
      </Button>
      <p className={styles.topUpNote}>
        Par carte bancaire, sur la page sécurisée de notre prestataire.
        {sandbox && " Paiements fictifs\u202f: rien n’est débité."}
      </p>
    </form>
  );
}
