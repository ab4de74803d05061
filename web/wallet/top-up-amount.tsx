// First step of a top-up: how much, within the wallet's own limits.
import { type FormEvent, useRef, useState } from "react";
import { formatMoney } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { Button } from "#web/ui/button.tsx";
import { limitsHint, presetsOf, wrongAmount } from "./top-up-limits.ts";

export function TopUpAmount({
  wallet,
  amountCents,
  onAmount,
  onDone,
}: {
  wallet: Wallet;
  amountCents: number | null;
  onAmount: (cents: number | null) => void;
  onDone: (cents: number) => void;
}) {
  // An amount that came with the address and is refused says why at once.
  const [told, setTold] = useState(amountCents !== null);
  const form = useRef<HTMLFormElement>(null);
  const wrong = wrongAmount(amountCents, wallet);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wrong === null && amountCents !== null) return onDone(amountCents);
    setTold(true);
    form.current?.querySelector<HTMLInputElement>("input[inputmode=decimal]")?.focus();
  };
  return (
    <form ref={form} className="top-up-form" noValidate onSubmit={submit}>
      <h2 className="top-up-heading">Combien ajouter&#8239;?</h2>
      <p className="top-up-balance">
        Solde actuel <strong>{formatMoney(wallet.balanceCents)}</strong>
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
      <Button kind="primary" type="submit" wide iconEnd="forward">
        Vérifier la recharge
      </Button>
    </form>
  );
}
