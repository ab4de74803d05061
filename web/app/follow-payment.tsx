// A payment at the provider followed until its outcome is definite, and what is shown of it when it
// pays an order. Rooms show it where their `returnPath` leads: `paiement` of the address is its id.
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { api } from "#contract/api.ts";
import { wallets } from "#contract/wallet/rows.ts";
import { formatMoney, thin } from "#contract/french.ts";
import { type TopUp, topUpCan } from "#contract/payments/rows.ts";
import { Banner, type Tone } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { Picture } from "#web/ui/picture.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { answerOptions, readAgain } from "./answers.ts";
import { call } from "./api.ts";
import styles from "./follow-payment.module.css";

const firstPollMs = 1000;
const longestPollMs = 15_000;

/**
 * The payment, asked again less and less often until it rests; live events wake it too. `onRest` runs
 * once for each state in which it rests.
 */
export function useFollowedPayment(id: string, onRest: (topUp: TopUp) => void) {
  const answer = useQuery({
    ...answerOptions(api.payments.topUp, { id }),
    queryFn: ({ signal }) => call(api.payments.topUp, { id }, { signal, quiet: true }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.data && topUpCan.rest(state.data)) return false;
      if (!state.data && state.error?.definite) return false;
      const tries = state.dataUpdateCount + state.errorUpdateCount;
      return Math.min(firstPollMs * 1.4 ** tries, longestPollMs);
    },
  });
  const { data } = answer;
  const state = data?.state;
  useEffect(() => {
    if (!data || !topUpCan.rest(data)) return;
    onRest(data);
    void readAgain(...Object.values(wallets), api.payments.topUps);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each state that it rests in
  }, [state, id]);
  return answer;
}

interface Props {
  id: string;
  /** Shown once the order is paid: the room's own words and what comes next. */
  settled: ReactNode;
  /** Back to the choice of how to pay, after a refusal. */
  onAgain: () => void;
  /** Once for each state in which it rests: what the room should read again. */
  onRest: (topUp: TopUp) => void;
}

/** A payment of an order in each of its states; the room gives what follows a good end. */
export function FollowedPayment({ id, settled, onAgain, onRest }: Props) {
  const answer = useFollowedPayment(id, onRest);
  const { data: topUp, error } = answer;
  if (topUp?.order?.outcome === "settled" && topUp.state === "credited") return settled;
  if (topUp) return <OrderPayment topUp={topUp} onAgain={onAgain} />;
  if (answer.isPending) {
    return (
      <Loading label="Lecture du paiement…">
        <div className={styles.followedWait}>
          <Skeleton height="6rem" width="6rem" round />
          <Skeleton height="2rem" width="16rem" />
          <Skeleton height="6rem" />
        </div>
      </Loading>
    );
  }
  if (error === null || error.definite) {
    return (
      <EmptyState
        icon="search"
        title="Nous ne trouvons pas ce paiement"
        action={<ButtonLink href="/dashboard">Revenir à ma carte</ButtonLink>}
      >
        L’adresse n’est pas complète. Vos paiements sont dans vos opérations.
      </EmptyState>
    );
  }
  return (
    <ErrorState
      title="L’état de votre paiement n’a pas pu être lu."
      message={`${error.message} Si vous venez de payer, ne payez pas une seconde fois : nous réessayons.`}
      answer={answer}
    />
  );
}

interface Told {
  icon: IconName;
  tone: Tone | "neutral";
  title: string;
  lines: readonly string[];
  warning: string | null;
}

const notTwice = `Ne payez pas une seconde fois${thin}: ce paiement-ci est suivi.`;
const close = "Vous pouvez fermer cette page, nous vous prévenons dès que c’est fait.";

function toldOf({ state, amountCents, reason, order, aside }: TopUp): Told {
  const amount = formatMoney(amountCents);
  const kept = aside.map((part) => `${formatMoney(part.amountCents)} de ${part.name}`).join(" et ");
  const beside = kept && ` Le reste est mis de côté${thin}: ${kept}.`;
  const what = order?.label ?? "votre commande";
  const reasons = reason === null ? [] : [reason];
  const said = { warning: null };
  switch (state) {
    case "initiated":
      return {
        icon: "clock",
        tone: "info",
        title: "Nous attendons la réponse du paiement",
        lines: [
          `${amount} pour «\u00a0${what}\u00a0».${beside} La réponse arrive d’ordinaire en moins d’une minute.`,
        ],
        warning: `Si vous venez de payer, ne payez pas une seconde fois${thin}: cette page change d’elle-même. ${close}`,
      };
    case "authorized":
      return {
        icon: "clock",
        tone: "info",
        title: "Votre banque a accepté le paiement",
        lines: [`${amount} pour «\u00a0${what}\u00a0» sont en route.${beside} ${close}`],
        warning: notTwice,
      };
    case "credited":
      return order?.outcome === "kept"
        ? {
            ...said,
            icon: "wallet",
            tone: "warning",
            title: "L’argent est dans la cagnotte",
            lines: reasons,
          }
        : {
            ...said,
            icon: "check",
            tone: "success",
            title: `${what}${thin}: c’est payé`,
            lines: [],
          };
    case "declined":
      return {
        ...said,
        icon: "close",
        tone: "danger",
        title: "Le paiement n’a pas abouti",
        lines: [...reasons, "Vous pouvez réessayer, ou payer autrement."],
      };
    case "review":
      return {
        icon: "search",
        tone: "warning",
        title: "Nous vérifions ce paiement",
        lines: [...reasons, "Vous n’avez rien à faire."],
        warning: notTwice,
      };
    case "refunded":
      return {
        ...said,
        icon: "refresh",
        tone: "info",
        title: `${amount} vous ont été remboursés`,
        lines: ["L’argent revient sur votre carte bancaire sous quelques jours."],
      };
    case "disputed":
      return {
        ...said,
        icon: "lock",
        tone: "danger",
        title: "Ce paiement est contesté",
        lines: reasons,
      };
  }
}

/** What is known of an order's payment, and what to do now. */
function OrderPayment({ topUp, onAgain }: { topUp: TopUp; onAgain: () => void }) {
  const told = toldOf(topUp);
  const { objectID } = topUp.wallet;
  return (
    <div className={styles.followed}>
      <div className={styles.followedWords} aria-live="polite">
        <Picture icon={told.icon} tone={told.tone} />
        <h2>{told.title}</h2>
        {told.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {told.warning && <Banner tone="warning">{told.warning}</Banner>}
      <div className={styles.followedActs}>
        {topUp.state === "declined" && (
          <Button kind="primary" icon="refresh" onClick={onAgain}>
            Choisir un moyen de paiement
          </Button>
        )}
        {topUp.state === "initiated" && topUp.paymentUrl !== null && (
          <Button onClick={() => location.assign(topUp.paymentUrl ?? "")}>
            Je n’ai pas payé&#8239;: reprendre
          </Button>
        )}
        {topUp.state === "credited" && topUp.order?.outcome === "kept" && (
          <ButtonLink kind="primary" href={`/cagnottes/${objectID}/operations`}>
            Voir la cagnotte
          </ButtonLink>
        )}
        {topUp.state !== "declined" && (
          <ButtonLink href="/dashboard">Revenir à ma carte</ButtonLink>
        )}
      </div>
    </div>
  );
}
