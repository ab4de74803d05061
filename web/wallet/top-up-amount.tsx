// How much to add, within the wallet's own limits, and the one button that leads to the payment.
import { useState } from "react";
import { formatMoney } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { RefusedBanner } from "#web/app/refused-banner.tsx";
import { limitsHint, presetsOf, short, wrongAmount } from "#web/app/top-up-limits.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import type { useStartTopUp } from "./start-top-up.ts";
import styles from "./top-up.module.css";

interface Typed {
  amountCents: number | null;
}

export function TopUpAmount({
  wallet,
  amountCents: first,
  sandbox,
  starting,
  onAmount,
}: {
  wallet: Wallet;
  amountCents: number | null;
  /** Whether payments are fictitious here. */
  sandbox: boolean;
  starting: ReturnType<typeof useStartTopUp>;
  onAmount: (cents: number | null) => void;
}) {
  const { values, set, errorOf, form } = useForm<Typed>(
    { amountCents: first },
    ({ amountCents }) => ({ amountCents: wrongAmount(amountCents, wallet) }),
    starting,
    { onValues: ({ amountCents }) => onAmount(amountCents) },
  );
  const { amountCents } = values;
  // An amount that came with the address and is refused says why at once.
  const [came] = useState(first);
  const wrong = wrongAmount(amountCents, wallet);
  const payable = wrong === null ? amountCents : null;
  return (
    <form {...form}>
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
        error={errorOf("amountCents") || (came !== null && came === amountCents && wrong)}
        onCents={(cents) => set({ amountCents: cents })}
      />
      {starting.error && (
        <RefusedBanner
          problem={starting.error}
          title="La recharge n’a pas commencé."
          unknown="La page de paiement n’a pas pu s’ouvrir."
          again="rien n’a été débité"
        />
      )}
      <FormActions
        submit={payable === null ? "Payer" : `Payer ${short(payable)}`}
        wide
        icon="lock"
        isSending={starting.isPending}
      />
      <p className={styles.topUpNote}>
        Par carte bancaire, sur la page sécurisée de notre prestataire.
        {sandbox && " Paiements fictifs\u202f: rien n’est débité."}
      </p>
    </form>
  );
}
