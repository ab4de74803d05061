// First step of a transfer: the cards and the amount.
import type { ReactNode } from "react";
import { api } from "#contract/api.ts";
import { type Card, cardCan, cardStateNames } from "#contract/cards/rows.ts";
import { formatCardnumber, formatMoney, ofName } from "#contract/french.ts";
import { money } from "#contract/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { topUpPath } from "#contract/wallet/top-up-path.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import type { ApiProblem } from "#web/app/transport/api.ts";
import { useTopUpOpen } from "./top-up-link.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { RadioGroup, Select } from "#web/ui/choice.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { Link } from "#web/ui/link.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import styles from "./transfer.module.css";

export interface Draft {
  from: number;
  to: number | null;
  amountCents: number | null;
}

const presetsCents = [500, 1000, 2000, 5000];
const relationNames: Record<Card["relation"], string> = {
  self: "Ma carte",
  child: "Enfant",
  guardian: "Parent",
  relative: "Proche",
  employee: "Salarié",
};

export function TransferForm({
  cards,
  draft: first,
  wallet,
  walletProblem,
  onRetry,
  onDraft,
  onDone,
}: {
  cards: readonly Card[];
  draft: Draft;
  /** The main wallet of the card that sends, null while it is loading. */
  wallet: Wallet | null;
  walletProblem: ApiProblem | null;
  onRetry: () => void;
  onDraft: (draft: Draft) => void;
  onDone: () => void;
}) {
  const settings = useAnswer(api.portal.settings, {});
  const takesMoney = useTopUpOpen();
  const sources = cards.filter(({ relation }) => relation === "self" || relation === "child");
  // A guardian sends a child's money beyond the child's limits.
  const sendingOf = (card: number) =>
    wallet &&
    sendingFrom(
      wallet,
      cards.find(({ cardnumber }) => cardnumber === card),
    );
  const next = useAction<void, Draft>(async () => onDone());
  const { values, set, errorOf, form } = useForm<Draft>(
    first,
    ({ from, to, amountCents }) => {
      const sending = sendingOf(from);
      return {
        to: to === null && "Choisissez la carte qui reçoit l’argent.",
        amountCents: wallet && sending && amountFault(amountCents, wallet, sending, takesMoney),
      };
    },
    next,
    { onValues: onDraft },
  );
  const { from, to, amountCents } = values;
  const source = cards.find(({ cardnumber }) => cardnumber === from);
  const closed = source !== undefined && !cardCan.spend(source);
  const sending = sendingOf(from);
  return (
    <Stack as="form" {...form} gap={24}>
      <h2 className="unseen">À qui et combien</h2>
      {sources.length > 1 && (
        <Select
          label="Depuis"
          value={String(from)}
          options={sources.map((card) => ({
            value: String(card.cardnumber),
            label: card.relation === "self" ? "Ma carte" : `La carte ${ofName(card.name)}`,
          }))}
          onValue={(value) => {
            const sender = Number(value);
            set({ from: sender, to: to === sender ? null : to });
          }}
        />
      )}
      {closed && (
        <Banner tone="warning" title="Cette carte ne peut rien envoyer">
          Elle est {cardStateNames[source.state].toLowerCase()}.
        </Banner>
      )}
      {!closed && wallet?.frozen && (
        <Banner tone="warning" title="Cette cagnotte ne peut rien envoyer">
          Elle est bloquée le temps d’un litige. Une question&#8239;?{" "}
          <Link href={linkTo(paths.contact, {}, { write: "1" })}>Écrivez-nous</Link>
        </Banner>
      )}
      <RadioGroup
        label="Vers la carte de"
        boxed
        options={recipients(cards, from)}
        value={to === null ? null : String(to)}
        error={errorOf("to")}
        onValue={(value) => set({ to: Number(value) })}
      />
      <AmountInput
        label="Montant"
        cents={amountCents}
        presetsCents={presetsCents}
        error={errorOf("amountCents")}
        onCents={(cents) => set({ amountCents: cents })}
      />
      <div className={styles.transferBalance}>
        {wallet && sending && !closed && !wallet.frozen && (
          <Sendable wallet={wallet} sending={sending} />
        )}
        {!wallet && !walletProblem && <Skeleton height="1.5rem" width="16rem" />}
        {!wallet && walletProblem && (
          <Banner
            tone="danger"
            alert
            title="Le solde de cette carte n’a pas pu être lu."
            actions={
              <Button size="small" icon="refresh" onClick={onRetry}>
                Réessayer
              </Button>
            }
          >
            {walletProblem.message}
          </Banner>
        )}
        {settings.data && (
          <p>
            À partir de {formatMoney(settings.data.codeFromCents)} en 24 heures,{" "}
            {cards.some(({ relation }) => relation === "child")
              ? "achats, réservations et cartes de vos enfants compris"
              : "achats et réservations compris"}
            , un code vous est demandé.
          </p>
        )}
      </div>
      <FormActions
        submit="Vérifier le virement"
        wide
        iconEnd="forward"
        disabled={!wallet || closed || wallet.frozen}
        isSending={next.isPending}
      />
    </Stack>
  );
}

function recipients(cards: readonly Card[], from: number) {
  return cards
    .filter(({ cardnumber }) => cardnumber !== from)
    .map((card) => {
      // A suspended card still receives; one that is in opposition waits for its replacement.
      const closed = !cardCan.spend(card) && !cardCan.resume(card);
      const state = closed ? ` · ${cardStateNames[card.state].toLowerCase()}` : "";
      return {
        value: String(card.cardnumber),
        label: card.name,
        hint: `${relationNames[card.relation]} · ${formatCardnumber(card.cardnumber)}${state}`,
        disabled: closed,
      };
    });
}

interface Sending {
  maxCents: number;
  /** The limits that a guardian set leave less than the money does. */
  limited: boolean;
}

function sendingFrom({ sendableCents, sendLimitCents }: Wallet, source?: Card): Sending {
  const limitCents = source?.relation === "self" ? sendLimitCents : null;
  const limited = limitCents !== null && limitCents < sendableCents;
  return { maxCents: limited ? limitCents : sendableCents, limited };
}

function amountFault(
  cents: number | null,
  wallet: Wallet,
  { maxCents, limited }: Sending,
  takesMoney: boolean,
): ReactNode {
  if (cents === null) return "Indiquez le montant à envoyer, par exemple 20.";
  if (cents < money.transferMinCents) {
    return `Le montant minimal est de ${formatMoney(money.transferMinCents)}.`;
  }
  if (cents <= maxCents) return false;
  if (limited) {
    return `Vos plafonds ne le permettent pas\u202f: vous pouvez envoyer au plus ${formatMoney(maxCents)}.`;
  }
  return (
    <>
      Le solde ne suffit pas&#8239;: vous pouvez envoyer au plus {formatMoney(maxCents)}.{" "}
      {takesMoney && <Link href={topUpPath(wallet)}>Recharger la cagnotte</Link>}
    </>
  );
}

function Sendable({ wallet, sending }: { wallet: Wallet; sending: Sending }) {
  const { maxCents, limited } = sending;
  const aided = wallet.lots.some(
    ({ kind, balanceCents }) => kind === "granted" && balanceCents > 0,
  );
  return (
    <p>
      {limited && maxCents === 0 ? (
        "Vos plafonds ne vous laissent rien envoyer pour le moment."
      ) : (
        <>
          Vous pouvez envoyer jusqu’à <strong>{formatMoney(maxCents)}</strong>
          {limited && ", ce que vos plafonds laissent pour le moment"}.
        </>
      )}
      {aided && " Les aides reçues ne s’envoient pas : elles restent à leur bénéficiaire."}
    </p>
  );
}
