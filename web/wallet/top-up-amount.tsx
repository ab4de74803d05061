// How much to add, within the wallet's own limits, and the one button that leads to the payment.
import { useState } from "react";
import type { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatMoney } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { fictitiousWords } from "#web/app/shared/fictitious.ts";
import { RefusedBanner } from "#web/app/shared/refused-banner.tsx";
import { limitsHint, presetsOf, short, wrongAmount } from "./top-up-limits.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { Checkbox, RadioGroup } from "#web/ui/choice.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { Link } from "#web/ui/link.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import type { useStartTopUp } from "./start-top-up.ts";
import styles from "./top-up.module.css";

interface Typed {
  amountCents: number | null;
  /** A kept payment method, "" for the provider's page. */
  method: string;
  keep: boolean;
}

export function TopUpAmount({
  wallet,
  methods,
  amountCents: first,
  sandbox,
  starting,
  onAmount,
}: {
  wallet: Wallet;
  /** What the provider keeps for the payer; null when it could not be read. */
  methods: Output<typeof api.payments.methods> | null;
  amountCents: number | null;
  /** Whether payments are fictitious here. */
  sandbox: boolean;
  starting: ReturnType<typeof useStartTopUp>;
  onAmount: (cents: number | null) => void;
}) {
  const { values, set, errorOf, form } = useForm<Typed>(
    { amountCents: first, method: methods?.items[0]?.id ?? "", keep: false },
    ({ amountCents }) => ({ amountCents: wrongAmount(amountCents, wallet) }),
    {
      ...starting,
      mutateAsync: async ({ amountCents, method, keep }) => {
        const how = method === "" ? { ...(keep && { keep }) } : { paymentMethod: method };
        await starting.mutateAsync({ amountCents, ...how });
      },
    },
    { isLeftFreely: true, onValues: ({ amountCents }) => onAmount(amountCents) },
  );
  const { amountCents, method, keep } = values;
  // An amount that came with the address and is refused says why at once.
  const [came] = useState(first);
  const wrong = wrongAmount(amountCents, wallet);
  const payable = wrong === null ? amountCents : null;
  return (
    <form {...form}>
      <StepHeading>Combien ajouter&#8239;?</StepHeading>
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
      {methods && methods.items.length > 0 && (
        <RadioGroup
          label="Payer avec"
          boxed
          options={[
            ...methods.items.map(({ id, label }) => ({ value: id, label })),
            { value: "", label: "Une autre carte bancaire" },
          ]}
          value={method}
          onValue={(chosen) => set({ method: chosen })}
        />
      )}
      {method === "" && methods?.mayKeep && (
        <Checkbox
          label="Garder cette carte bancaire pour la prochaine fois"
          checked={keep}
          onChecked={(chosen) => set({ keep: chosen })}
        />
      )}
      {starting.error && (
        <RefusedBanner
          problem={starting.error}
          title="La recharge n’a pas commencé."
          {...(method === ""
            ? {
                unknown: "La page de paiement n’a pas pu s’ouvrir.",
                again: "rien n’a été débité",
              }
            : {
                unknown: "Nous ne savons pas encore si la recharge est passée.",
                again: "elle n’est débitée qu’une fois",
              })}
        />
      )}
      <FormActions
        submit={payable === null ? "Payer" : `Payer ${short(payable)}`}
        wide
        icon="lock"
        isSending={starting.isPending}
      />
      <p className={styles.topUpNote}>
        {method === ""
          ? "Par carte bancaire, sur la page sécurisée de notre prestataire."
          : !sandbox && "Votre carte bancaire est débitée tout de suite."}
        {sandbox && ` ${fictitiousWords}`}
        {method !== "" && (
          <>
            {" "}
            <Link href={linkTo(paths.automations, wallet)}>Gérer mes cartes bancaires</Link>
          </>
        )}
      </p>
    </form>
  );
}
