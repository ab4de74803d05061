// « Envoyer à une carte de la famille »: who and how much, review, done. What is typed is kept when
// one goes back, and in this tab until it is sent; the idempotency key is kept until a definite outcome
// (spec.md 15).
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { paths } from "#contract/paths.ts";
import type { SentTransfer } from "#contract/wallet/sent.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { once } from "#web/app/transport/intent.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { withCode } from "#web/app/transport/step-up.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { dropDraft, keepDraft, readDraft } from "#web/ui/draft.ts";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { type Draft, TransferForm } from "./transfer-form.tsx";
import { TransferReview } from "./transfer-review.tsx";
import { TransferDone } from "./transfer-done.tsx";

const steps = ["À qui et combien", "Vérification", "Envoyé"] as const;
const fields = ["from", "to", "amountCents"] as const;

export function TransferPage() {
  return (
    <Page narrow>
      <PageHeader
        title="Envoyer à une carte de la famille"
        back={{ href: paths.dashboard, label: "Ma carte" }}
      />
      <Family />
    </Page>
  );
}

function Family() {
  const user = useUser();
  const cards = useAnswer(api.cards.list, {});
  const [search] = useSearchParameters<"transfer">();
  if (cards.isPending) {
    return (
      <Section>
        <Loading label="Chargement des cartes…">
          <Skeleton lines={5} height="4.5rem" />
        </Loading>
      </Section>
    );
  }
  if (!cards.data) {
    return (
      <ErrorState title="Les cartes de la famille n’ont pas pu être chargées." answer={cards} />
    );
  }
  if (cards.data.items.length < 2) {
    return (
      <EmptyState
        icon="people"
        title="Aucune carte de la famille"
        action={
          user.type === 1 ? (
            <ButtonLink href={paths.family}>Voir ma famille</ButtonLink>
          ) : (
            <ButtonLink href={paths.dashboard}>Revenir à ma carte</ButtonLink>
          )
        }
      >
        Rattachez une carte de votre famille à la vôtre&#8239;: vous pourrez lui envoyer de l’argent
        ici.
      </EmptyState>
    );
  }
  const numberIn = (name: "sender" | "recipient") =>
    cards.data.items.find((card) => String(card.cardnumber) === search[name])?.cardnumber;
  const from = numberIn("sender") ?? user.cardnumber;
  const first: Draft = { from, to: numberIn("recipient") ?? null, amountCents: null };
  return <Transfer cards={cards.data.items} first={first} />;
}

function Transfer({ cards, first }: { cards: readonly Card[]; first: Draft }) {
  // Each address that names its cards has a draft of its own: it is never another transfer's.
  const [draftSpec] = useState(() => ({
    name: `transfer ${first.from} ${first.to ?? ""}`,
    fields,
  }));
  const [draft, setDraft] = useState(() => inFamily(readDraft(draftSpec, first), first, cards));
  const [written, setStep] = useState(0);
  const [{ transfer: sent }, change] = useSearchParameters<"transfer">();
  const step = sent === undefined ? written : 2;
  const wallets = useAnswer(api.wallet.list, { cardnumber: draft.from });
  const wallet = wallets.data?.items.find((one) => one.main) ?? null;
  const to = cards.find((card) => card.cardnumber === draft.to) ?? null;
  const transfer = useTransfer((answer) => {
    dropDraft(draftSpec.name);
    queryClient.setQueryData(keyOf(api.wallet.sent, { id: answer.id }), answer);
    setStep(0);
    change({ transfer: answer.id });
  });
  const heading = useFocusAtStep(step);
  const back = () => {
    transfer.reset();
    setStep(0);
  };
  return (
    <>
      <Stepper
        label="Étapes du virement"
        steps={steps}
        current={step}
        onBack={step === 1 && !transfer.isPending ? back : undefined}
      />
      <div ref={heading}>
        <Section>
          {step === 0 && (
            <TransferForm
              cards={cards}
              draft={draft}
              wallet={wallet}
              walletProblem={wallets.error}
              onRetry={() => void wallets.refetch()}
              onDraft={(typed) => {
                keepDraft(draftSpec, typed);
                setDraft(typed);
              }}
              onDone={() => setStep(1)}
            />
          )}
          {step === 1 && wallet && to && draft.amountCents !== null && (
            <TransferReview
              from={cards.find((card) => card.cardnumber === draft.from) ?? null}
              to={to}
              wallet={wallet}
              amountCents={draft.amountCents}
              sending={transfer.isPending}
              problem={transfer.problem}
              onSend={(repeat) =>
                transfer.send({
                  fromWallet: wallet.objectID,
                  toCardnumber: to.cardnumber,
                  amountCents: draft.amountCents ?? 0,
                  ...(repeat && { repeat }),
                })
              }
              onGiveUp={() => transfer.reset()}
              onBack={back}
            />
          )}
          {sent !== undefined && (
            <SentTransfer
              id={sent}
              onAgain={() => {
                setDraft({ ...draft, amountCents: null });
                change({ transfer: undefined });
              }}
            />
          )}
        </Section>
      </div>
    </>
  );
}

/** The transfer that the address names. */
function SentTransfer({ id, onAgain }: { id: string; onAgain: () => void }) {
  const sent = useAnswer(api.wallet.sent, { id });
  if (sent.data) return <TransferDone sent={sent.data} onAgain={onAgain} />;
  return (
    <NotLoaded
      answer={sent}
      label="Lecture du virement…"
      lines={4}
      height="2.5rem"
      failed="Ce virement n’a pas pu être lu."
    />
  );
}

/** A kept draft, without the cards that have left the family meanwhile. */
function inFamily(draft: Draft, first: Draft, cards: readonly Card[]): Draft {
  const known = (number: number | null) => cards.some(({ cardnumber }) => cardnumber === number);
  return {
    ...draft,
    from: known(draft.from) ? draft.from : first.from,
    to: known(draft.to) ? draft.to : first.to,
  };
}

interface Order {
  fromWallet: string;
  toCardnumber: number;
  amountCents: number;
  repeat?: boolean;
}

/** The transfer under its key, with the code when the server asks for one (spec.md 14 and 15). */
function useTransfer(onSent: (sent: SentTransfer) => void) {
  return useAction(
    (order: Order) =>
      once("transfer", order, (key) =>
        withCode((proof) => call(api.wallet.transfer, { ...order, ...proof }, { key })),
      ),
    { onDone: onSent },
  );
}
