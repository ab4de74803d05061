// The form of an automatic top-up: when, how much, at most how much, with what, and the consent.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import type { Automations } from "#contract/funding.ts";
import type { Wallet } from "#contract/wallet.ts";
import { readAgain } from "#web/app/answers.ts";
import { call } from "#web/app/api.ts";
import { CodeAbandoned, withCode } from "#web/app/step-up.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox, RadioGroup, Select } from "#web/ui/choice.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { notify } from "#web/ui/toast.tsx";
import { short } from "./top-up-limits.ts";

type Trigger = "threshold" | "day";
const days = Array.from({ length: 28 }, (_, index) => String(index + 1)).map((value) => ({
  value,
  label: value === "1" ? "le 1er" : `le ${value}`,
}));
/** The value that stands for a means that is not kept yet. */
const another = "autre";

interface Draft {
  trigger: Trigger;
  threshold: number | null;
  day: string;
  mode: "amount" | "target";
  amount: number | null;
  monthly: number | null;
  means: string;
  consent: boolean;
}

/** What is wrong with each field, in words; false for what is right. */
function wrongOf(draft: Draft, wallet: Wallet) {
  const { trigger, threshold, amount, monthly, mode, consent } = draft;
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
    threshold:
      trigger === "threshold" && (threshold === null || threshold < 1) && "Indiquez un seuil.",
    amount: amountWords(),
    monthly:
      (monthly === null || monthly < (amount ?? 0)) &&
      "Le plafond du mois couvre au moins une recharge.",
    consent: !consent && "Cochez cette case pour autoriser la recharge automatique.",
  };
}

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
  const [draft, setDraft] = useState<Draft>({
    trigger: taken.has("threshold") ? "day" : "threshold",
    threshold: 1000,
    day: "5",
    mode: "amount",
    amount: 2000,
    monthly: 10_000,
    means: seen.means[0]?.id ?? another,
    consent: false,
  });
  const [tries, setTries] = useState(0);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const wrong = wrongOf(draft, wallet);
  const isWrong = Object.values(wrong).some(Boolean);
  const form = useFirstError<HTMLFormElement>(isWrong && tries);
  const shown = (name: keyof typeof wrong) => tries > 0 && wrong[name];
  const save = useSave(wallet, draft, onClose);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (!isWrong) save.mutate();
  };
  const kept = draft.means !== another;
  return (
    <form className="automations-form" ref={form} noValidate onSubmit={send}>
      <RadioGroup
        label="Quand recharger"
        value={draft.trigger}
        onValue={(trigger) => change({ trigger })}
        options={[
          {
            value: "threshold",
            label: "Quand le solde est bas",
            disabled: taken.has("threshold"),
          },
          { value: "day", label: "Un jour du mois", disabled: taken.has("day") },
        ]}
      />
      {draft.trigger === "threshold" ? (
        <AmountInput
          label="Sous le seuil de"
          cents={draft.threshold}
          error={shown("threshold")}
          onCents={(threshold) => change({ threshold })}
        />
      ) : (
        <Select
          label="Jour du mois"
          options={days}
          value={draft.day}
          onValue={(day) => change({ day })}
        />
      )}
      <RadioGroup
        label="Combien"
        value={draft.mode}
        onValue={(mode) => change({ mode })}
        options={[
          { value: "amount", label: "Toujours le même montant" },
          { value: "target", label: "Ce qu’il manque pour atteindre un montant" },
        ]}
      />
      <AmountInput
        label={draft.mode === "amount" ? "Montant de chaque recharge" : "Compléter jusqu’à"}
        cents={draft.amount}
        presetsCents={[2000, 3000, 5000]}
        error={shown("amount")}
        onCents={(amount) => change({ amount })}
      />
      <AmountInput
        label="Plafond par mois"
        hint="Au-delà, plus rien n’est débité avant le mois suivant."
        cents={draft.monthly}
        error={shown("monthly")}
        onCents={(monthly) => change({ monthly })}
      />
      {seen.means.length > 0 && (
        <Select
          label="Moyen de paiement"
          options={[
            ...seen.means.map(({ id, label }) => ({ value: id, label })),
            { value: another, label: "Enregistrer un autre moyen" },
          ]}
          value={draft.means}
          onValue={(means) => change({ means })}
        />
      )}
      <Consent
        draft={draft}
        error={shown("consent")}
        onConsent={(consent) => change({ consent })}
      />
      {save.error && !(save.error instanceof CodeAbandoned) && (
        <Banner tone="danger" alert title="La recharge automatique n’a pas été programmée.">
          {save.error.message}
        </Banner>
      )}
      <p className="automation-fine">
        {kept
          ? "Un code vous sera demandé."
          : `Un code vous sera demandé, puis vous faites un premier paiement${
              draft.amount
                ? ` de ${short(Math.max(wallet.topUpMinCents, draft.amount))} au plus`
                : ""
            } chez notre prestataire, qui garde votre carte bancaire si vous l’acceptez.`}
        {seen.sandbox && " Paiements fictifs\u202f: rien n’est débité."}
      </p>
      <div className="automations-acts">
        <Button onClick={onClose}>Annuler</Button>
        <Button kind="primary" type="submit" loading={save.isPending}>
          {kept ? "Programmer la recharge" : "Continuer vers le paiement"}
        </Button>
      </div>
    </form>
  );
}

function Consent({
  draft,
  error,
  onConsent,
}: {
  draft: Draft;
  error: string | false;
  onConsent: (consent: boolean) => void;
}) {
  const most = draft.monthly === null ? "" : `, dans la limite de ${short(draft.monthly)} par mois`;
  return (
    <Checkbox
      label={`J’autorise Ma carte à débiter mon moyen de paiement sans me demander à chaque fois${most}.`}
      hint="Je peux mettre en pause ou supprimer cette autorisation à tout moment. Chaque recharge m’est annoncée avec son reçu."
      required
      checked={draft.consent}
      error={error}
      onChecked={onConsent}
    />
  );
}

function useSave({ objectID }: Wallet, draft: Draft, onClose: () => void) {
  return useMutation({
    mutationFn: () =>
      withCode((proof) =>
        call(api.funding.createRule, {
          objectID,
          when:
            draft.trigger === "threshold"
              ? { trigger: "threshold", thresholdCents: draft.threshold ?? 0 }
              : { trigger: "day", day: Number(draft.day) },
          mode: draft.mode,
          amountCents: draft.amount ?? 0,
          monthlyCents: draft.monthly ?? 0,
          meansId: draft.means === another ? null : draft.means,
          consent: true,
          ...proof,
        }),
      ),
    onSuccess: async ({ paymentUrl }) => {
      if (paymentUrl !== null) return location.assign(paymentUrl);
      notify({ text: "Recharge automatique programmée.", kind: "success" });
      await readAgain(api.funding.automations);
      onClose();
    },
  });
}
