// The form of an automatic top-up: when, how much, at most how much, with what, and the consent.
import type { ReactNode } from "react";
import { api } from "#contract/api.ts";
import type { Automations } from "#contract/funding/rows.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { call } from "#web/app/transport/api.ts";
import { fictitiousWords } from "#web/app/shared/fictitious.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Checkbox, RadioGroup, Select } from "#web/ui/choice.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { Text } from "#web/ui/text.tsx";
import { short } from "#web/wallet/top-up-limits.ts";

type Trigger = "threshold" | "day";
const days = Array.from({ length: 28 }, (_, index) => String(index + 1)).map((value) => ({
  value,
  label: value === "1" ? "le 1er" : `le ${value}`,
}));
/** The value that stands for a payment method that is not kept yet. */
const another = "autre";

/** The fields as they are typed. */
interface Typed {
  trigger: Trigger;
  thresholdCents: number | null;
  day: string;
  mode: "amount" | "target";
  amountCents: number | null;
  monthlyCents: number | null;
  paymentMethod: string;
  consent: boolean;
}

const faultsOf =
  (wallet: Wallet) =>
  (typed: Typed): Faults<Typed> => {
    const { trigger, thresholdCents: threshold, amountCents: amount, monthlyCents, mode } = typed;
    const { topUpMinCents: min, topUpMaxCents: max } = wallet;
    const least = trigger === "threshold" ? Math.max(min, threshold ?? min) : min;
    const amountWords = () => {
      if (amount === null || amount < min) return `Indiquez au moins ${short(min)}.`;
      if (amount < least) {
        return `Indiquez au moins ${short(least)}\u202f: le solde doit repasser au-dessus du seuil.`;
      }
      if (amount > max) return `Indiquez au plus ${short(max)}.`;
      return mode === "target" && amount > wallet.capCents && `Au plus ${short(wallet.capCents)}.`;
    };
    return {
      thresholdCents:
        trigger === "threshold" && (threshold === null || threshold < 1) && "Indiquez un seuil.",
      amountCents: amountWords(),
      monthlyCents:
        (monthlyCents === null || monthlyCents < (amount ?? 0)) &&
        "Le plafond du mois couvre au moins une recharge.",
      consent: !typed.consent && "Cochez cette case pour autoriser la recharge automatique.",
    };
  };

export function RuleForm({
  wallet,
  seen,
  onClose,
}: {
  wallet: Wallet;
  seen: Automations;
  onClose: () => void;
}) {
  const taken = new Set(seen.rules.map(({ when }) => when.trigger));
  const save = useSave(wallet, onClose);
  const { values, set, field, errorOf, problem, form } = useForm<Typed>(
    {
      trigger: taken.has("threshold") ? "day" : "threshold",
      thresholdCents: 1000,
      day: "5",
      mode: "amount",
      amountCents: 2000,
      monthlyCents: 10_000,
      paymentMethod: seen.paymentMethods[0]?.id ?? another,
      consent: false,
    },
    faultsOf(wallet),
    save,
  );
  const { trigger, mode, amountCents } = values;
  const hasSavedMethod = values.paymentMethod !== another;
  return (
    <form {...form}>
      <RadioGroup
        label="Quand recharger"
        {...field("trigger")}
        options={[
          {
            value: "threshold",
            label: "Quand le solde est bas",
            disabled: taken.has("threshold"),
          },
          { value: "day", label: "Un jour du mois", disabled: taken.has("day") },
        ]}
      />
      {trigger === "threshold" ? (
        <AmountInput
          label="Sous le seuil de"
          cents={values.thresholdCents}
          error={errorOf("thresholdCents")}
          onCents={(thresholdCents) => set({ thresholdCents })}
        />
      ) : (
        <Select label="Jour du mois" options={days} {...field("day")} />
      )}
      <RadioGroup
        label="Combien"
        {...field("mode")}
        options={[
          { value: "amount", label: "Toujours le même montant" },
          { value: "target", label: "Ce qu’il manque pour atteindre un montant" },
        ]}
      />
      <AmountInput
        label={mode === "amount" ? "Montant de chaque recharge" : "Compléter jusqu’à"}
        cents={amountCents}
        presetsCents={[2000, 3000, 5000]}
        error={errorOf("amountCents")}
        onCents={(cents) => set({ amountCents: cents })}
      />
      <AmountInput
        label="Plafond par mois"
        hint="Au-delà, plus rien n’est débité avant le mois suivant."
        cents={values.monthlyCents}
        error={errorOf("monthlyCents")}
        onCents={(monthlyCents) => set({ monthlyCents })}
      />
      {seen.paymentMethods.length > 0 && (
        <Select
          label="Moyen de paiement"
          options={[
            ...seen.paymentMethods.map(({ id, label }) => ({ value: id, label })),
            { value: another, label: "Enregistrer un autre moyen" },
          ]}
          {...field("paymentMethod")}
        />
      )}
      <Consent
        values={values}
        error={errorOf("consent")}
        onConsent={(consent) => set({ consent })}
      />
      <ProblemBanner problem={problem} title="La recharge automatique n’a pas été programmée." />
      <Text tone="soft" size="fine" numeric breakWord>
        {hasSavedMethod
          ? "Un code vous sera demandé."
          : `Un code vous sera demandé, puis vous faites un premier paiement${
              amountCents ? ` de ${short(Math.max(wallet.topUpMinCents, amountCents))} au plus` : ""
            } chez notre prestataire, qui garde votre carte bancaire si vous l’acceptez.`}
        {seen.sandbox && ` ${fictitiousWords}`}
      </Text>
      <FormActions
        submit={hasSavedMethod ? "Programmer la recharge" : "Continuer vers le paiement"}
        isSending={save.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

function Consent({
  values: { consent, monthlyCents },
  error,
  onConsent,
}: {
  values: Typed;
  error: ReactNode;
  onConsent: (consent: boolean) => void;
}) {
  const limitText =
    monthlyCents === null ? "" : `, dans la limite de ${short(monthlyCents)} par mois`;
  return (
    <Checkbox
      label={`J’autorise Ma carte à débiter mon moyen de paiement sans me demander à chaque fois${limitText}.`}
      hint="Je peux mettre en pause ou supprimer cette autorisation à tout moment. Chaque recharge m’est annoncée avec son reçu."
      required
      checked={consent}
      error={error}
      onChecked={onConsent}
    />
  );
}

function useSave({ objectID }: Wallet, onClose: () => void) {
  return useAction(
    (typed: Typed, proof) =>
      call(api.funding.createRule, {
        objectID,
        when:
          typed.trigger === "threshold"
            ? { trigger: "threshold", thresholdCents: typed.thresholdCents ?? 0 }
            : { trigger: "day", day: Number(typed.day) },
        mode: typed.mode,
        amountCents: typed.amountCents ?? 0,
        monthlyCents: typed.monthlyCents ?? 0,
        paymentMethodId: typed.paymentMethod === another ? null : typed.paymentMethod,
        consent: true,
        ...proof,
      }),
    {
      says: ({ paymentUrl }) => (paymentUrl === null ? "Recharge automatique programmée." : null),
      onDone: ({ paymentUrl }) => (paymentUrl === null ? onClose() : location.assign(paymentUrl)),
    },
  );
}
