// Asks before a pass is suspended, resumed or replaced: what it changes, and what pays for it.
import { useState } from "react";
import { formatMoney, plural } from "#contract/french.ts";
import type { Pass } from "#contract/passes/rows.ts";
import type { ApiProblem } from "#web/app/transport/api.ts";
import { PaymentChoice } from "#web/checkout/payment-choice.tsx";
import { chosenOption, paymentOptions } from "#web/checkout/payment-options.ts";
import { useWalletBalances } from "#web/checkout/wallet-balances.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import styles from "./passes.module.css";

export type PassAction = "suspend" | "resume" | "duplicate";

function confirmOf(act: PassAction, { duplicateCents }: Pass): string {
  if (act === "suspend") return "Suspendre dès aujourd’hui";
  if (act === "resume") return "Reprendre maintenant";
  return duplicateCents > 0
    ? `Payer ${formatMoney(duplicateCents)} et remplacer`
    : "Remplacer gratuitement";
}

export function Confirmation({
  pass,
  act,
  minor,
  busy,
  problem,
  onConfirm,
  onClose,
}: {
  pass: Pass;
  act: PassAction;
  minor: boolean;
  busy: boolean;
  problem: ApiProblem | null;
  /** With the wallet that pays the fee; null where there is none. */
  onConfirm: (wallet: string | null) => void;
  onClose: () => void;
}) {
  const { idgroup, cardnumber, duplicateCents: totalCents } = pass;
  const [picked, setPicked] = useState<string | null>(null);
  const purchase = { totalCents, idgroup, cardnumbers: [cardnumber] };
  const { balancesOf } = useWalletBalances(purchase);
  const fee = act === "duplicate" && totalCents > 0;
  const offered = fee && balancesOf ? paymentOptions(balancesOf, purchase, "none") : null;
  const chosen = offered && chosenOption(offered, picked);
  return (
    <section className={styles.passQuestion}>
      <h3 ref={focusFirst} tabIndex={-1}>
        {titleOf(act)}
      </h3>
      <p>{leadOf(act, pass, minor)}</p>
      {offered && <PaymentChoice {...offered} chosen={chosen} onValue={setPicked} />}
      <ProblemBanner problem={problem} title="Rien n’a changé." />
      <Actions gap={8}>
        <Button
          kind="primary"
          loading={busy}
          disabled={fee && chosen === null}
          onClick={() => onConfirm(chosen?.request.objectID ?? null)}
        >
          {confirmOf(act, pass)}
        </Button>
        <Button kind="ghost" disabled={busy} onClick={onClose}>
          Annuler
        </Button>
      </Actions>
    </section>
  );
}

/** The button that was pressed is gone: the question takes the focus. */
const focusFirst = (heading: HTMLElement | null): void => heading?.focus();

function titleOf(act: PassAction): string {
  if (act === "suspend") return "Suspendre ce titre\u202f?";
  return act === "resume" ? "Reprendre ce titre\u202f?" : "Demander un duplicata\u202f?";
}

function leadOf(act: PassAction, { suspension, duplicateCents }: Pass, minor: boolean): string {
  if (act === "suspend") {
    const days = plural(suspension?.leftDays ?? 0, "jour");
    if (minor) {
      return `Il ne permettra plus de voyager. Seul un de vos responsables pourra le reprendre\u202f; sinon il reprend de lui-même dans ${days}. Chaque jour de pause est ajouté à la fin.`;
    }
    return `Il ne permettra plus de voyager jusqu’à ce que vous le repreniez, au plus tard dans ${days}. Chaque jour de pause est ajouté à la fin.`;
  }
  if (act === "resume") return "Les jours de pause sont ajoutés à la date de fin.";
  const price =
    duplicateCents === 0 ? "Ce duplicata est gratuit." : `Il coûte ${formatMoney(duplicateCents)}.`;
  return `L’ancien QR code sera refusé à bord, le nouveau garde ce qui reste du titre. ${price}`;
}
