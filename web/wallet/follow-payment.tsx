// The payment of an order at the provider, followed until its outcome is definite. Rooms show it where their
// `returnPath` leads: `paiement` of the address is its id.
import type { ReactNode } from "react";
import { formatMoney, thin } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { TopUp } from "#contract/payments/rows.ts";
import { Banner, type Tone } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./follow-payment.module.css";
import { PaymentEnd } from "./payment-end.tsx";
import { useFollowedPayment } from "./use-followed-payment.ts";

interface Props {
  id: string;
  /** Shown once the order is paid: the room's own words and what comes next. */
  settled: ReactNode;
  /** Back to the choice of how to pay, after a refusal. */
  onAgain: () => void;
  /** Called once for each state in which nothing more is expected: the room reads again what it shows. */
  onRest: (topUp: TopUp) => void;
}

/** A payment of an order in each of its states; the room gives what is shown once the order is paid. */
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
        action={<ButtonLink href={paths.dashboard}>Revenir à ma carte</ButtonLink>}
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

interface PaymentWords {
  icon: IconName;
  tone: Tone | "neutral";
  title: string;
  lines: readonly string[];
  warning: string | null;
}

const notTwice = `Ne payez pas une seconde fois${thin}: ce paiement-ci est suivi.`;
const close = "Vous pouvez fermer cette page, nous vous prévenons dès que c’est fait.";

function paymentWords({ state, amountCents, reason, order, holds }: TopUp): PaymentWords {
  const amount = formatMoney(amountCents);
  const heldText = holds
    .map((part) => `${formatMoney(part.amountCents)} de ${part.name}`)
    .join(" et ");
  const beside = heldText && ` Le reste est mis de côté${thin}: ${heldText}.`;
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
      return order?.outcome === "unapplied"
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

/** The state of an order's payment, and what to do now. */
function OrderPayment({ topUp, onAgain }: { topUp: TopUp; onAgain: () => void }) {
  const words = paymentWords(topUp);
  const { objectID } = topUp.wallet;
  return (
    <PaymentEnd
      icon={words.icon}
      tone={words.tone}
      title={words.title}
      words={words.lines}
      warning={words.warning && <Banner tone="warning">{words.warning}</Banner>}
      acts={
        <>
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
          {topUp.state === "credited" && topUp.order?.outcome === "unapplied" && (
            <ButtonLink kind="primary" href={linkTo(paths.movements, { objectID })}>
              Voir la cagnotte
            </ButtonLink>
          )}
          {topUp.state !== "declined" && (
            <ButtonLink href={paths.dashboard}>Revenir à ma carte</ButtonLink>
          )}
        </>
      }
    />
  );
}
