// The status of a top-up on the return from the payment page: what is known of the payment, what to do, what
// comes next. It listens to live events and asks again by itself, so that a reload or a cut loses nothing.
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { type TopUp, topUpCan } from "#contract/payments/rows.ts";
import { referenceOf } from "#contract/reference.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { FollowedPayment } from "./follow-payment.tsx";
import { PaymentEnd } from "./payment-end.tsx";
import { useFollowedPayment } from "./use-followed-payment.ts";
import { useProblemNotice } from "#web/app/transport/problem-notice.ts";
import { TopUpLink, useTopUpOpen } from "./top-up-link.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { Owed } from "./owed.tsx";
import { settleTopUp } from "./start-top-up.ts";
import { usableWords } from "./usable-words.ts";
import { TopUpTrack } from "./top-up-track.tsx";
import { tourReturn } from "#web/identity/tour-return.ts";
import { type TopUpAction, topUpWords } from "./top-up-words.ts";
import followedStyles from "./follow-payment.module.css";

interface Props {
  id: string;
  wallet: Wallet;
  card: Card | null;
  /** The browser is on its way to the payment page. */
  leaving: boolean;
  steps: readonly string[];
  /** Starts over, with this amount already typed or with none. */
  onAgain: (amountCents: number | null) => void;
}

export function TopUpStatus({ id, wallet, card, leaving, steps, onAgain }: Props) {
  const answer = useFollowedPayment(id, ({ amountCents }) =>
    settleTopUp({ objectID: wallet.objectID, amountCents }),
  );
  const topUp = answer.data?.wallet.objectID === wallet.objectID ? answer.data : null;
  useProblemNotice(topUp ? null : answer.error);
  if (answer.isPending || leaving) {
    return (
      <Section>
        <Loading label={leaving ? "Ouverture de la page de paiement…" : "Lecture du paiement…"}>
          <div className={followedStyles.followedWait}>
            <Skeleton height="4rem" width="100%" />
            <Skeleton height="6rem" width="6rem" round />
            <Skeleton height="2rem" width="16rem" />
            <Skeleton height="9rem" />
          </div>
        </Loading>
      </Section>
    );
  }
  if (!topUp) {
    const unknown = answer.error === null || answer.error.definite;
    return (
      <Section>
        {unknown ? (
          <EmptyState
            icon="search"
            title="Nous ne trouvons pas cette recharge"
            action={<TopUpLink wallet={wallet}>Faire une recharge</TopUpLink>}
          >
            L’adresse n’est pas complète, ou cette recharge est celle d’une autre cagnotte. Vos
            recharges payées sont dans vos opérations.
          </EmptyState>
        ) : (
          <ErrorState
            title="L’état de votre recharge n’a pas pu être lu."
            message={`${answer.error?.message} Si vous venez de payer, ne payez pas une seconde fois : nous réessayons.`}
            answer={answer}
          />
        )}
      </Section>
    );
  }
  if (topUp.order) {
    return (
      <Section>
        <FollowedPayment
          id={id}
          settled={
            <EmptyState
              icon="check"
              title={`${topUp.order.label}\u202f: c’est payé`}
              action={<ButtonLink href={topUp.order.path}>Voir la commande</ButtonLink>}
            >
              Ce paiement a réglé votre commande.
            </EmptyState>
          }
          onAgain={() => location.assign(topUp.order?.path ?? "/")}
          onRest={() => {}}
        />
        <Owed cents={topUp.owedCents} />
      </Section>
    );
  }
  return (
    <Section>
      <Stepper label="Étapes de la recharge" steps={steps} current={topUpCan.rest(topUp) ? 2 : 1} />
      <Outcome topUp={topUp} wallet={wallet} card={card} onAgain={onAgain} />
      {answer.isError && (
        <Banner tone="warning" alert title="Nous n’arrivons plus à lire l’état du paiement.">
          Ne payez pas une seconde fois&#8239;: nous réessayons sans que vous ayez rien à faire.
        </Banner>
      )}
    </Section>
  );
}

function Outcome({
  topUp,
  wallet,
  card,
  onAgain,
}: {
  topUp: TopUp;
  wallet: Wallet;
  card: Card | null;
  onAgain: (amountCents: number | null) => void;
}) {
  const words = topUpWords(topUp, card);
  return (
    <PaymentEnd
      icon={words.icon}
      tone={words.tone}
      title={words.title}
      words={topUp.state === "credited" ? [...words.lines, usableWords(card)] : words.lines}
      warning={
        <>
          {words.warning && <Banner tone="warning">{words.warning}</Banner>}
          <Owed cents={topUp.owedCents} />
        </>
      }
      acts={words.acts.map((act, index) => (
        <ActionButton key={act} act={act} leading={index === 0} {...{ topUp, wallet, onAgain }} />
      ))}
      facts={[
        { label: "Montant", value: <Money cents={topUp.amountCents} /> },
        { label: "Demandée le", value: <DateText at={topUp.createdAt} time /> },
        topUp.state === "credited"
          ? { label: "Solde de la cagnotte", value: <Money cents={wallet.balanceCents} /> }
          : null,
        {
          label: "Référence",
          value: referenceOf(topUp.id),
        },
      ]}
    >
      <TopUpTrack topUp={topUp} />
    </PaymentEnd>
  );
}

function ActionButton({
  act,
  leading,
  topUp,
  wallet,
  onAgain,
}: {
  act: TopUpAction;
  leading: boolean;
  topUp: TopUp;
  wallet: Wallet;
  onAgain: (amountCents: number | null) => void;
}) {
  const isOpen = useTopUpOpen();
  const kind = leading ? "primary" : "secondary";
  if (!isOpen && (act === "retry" || act === "other" || act === "more")) return null;
  switch (act) {
    case "home":
      return (
        <ButtonLink kind={kind} href={tourReturn() ?? paths.dashboard}>
          {tourReturn() ? "Continuer les premiers pas" : "Revenir à ma carte"}
        </ButtonLink>
      );
    case "retry":
      return (
        <Button kind={kind} icon="refresh" onClick={() => onAgain(topUp.amountCents)}>
          Réessayer
        </Button>
      );
    case "other":
      return <Button onClick={() => onAgain(null)}>Choisir un autre montant</Button>;
    case "more":
      return <Button onClick={() => onAgain(null)}>Recharger encore</Button>;
    case "history":
      return (
        <ButtonLink kind={kind} href={linkTo(paths.movements, wallet)}>
          Voir les opérations
        </ButtonLink>
      );
    case "receipt":
      return (
        <DownloadButton
          row={api.payments.receipt}
          input={{ id: topUp.id }}
          failed="Le reçu n’a pas pu être préparé."
        >
          Télécharger le reçu (PDF)
        </DownloadButton>
      );
    case "pay":
      // The same payment again: paid once already, its page says so and debits nothing.
      return topUp.paymentUrl === null ? null : (
        <Button onClick={() => location.assign(topUp.paymentUrl ?? "")}>
          Je n’ai pas payé&#8239;: reprendre
        </Button>
      );
  }
}
