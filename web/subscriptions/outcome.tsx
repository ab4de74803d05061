// Outcome of an application: what happened, what comes next, the receipt.
import { answerDelay } from "#contract/answer-delay.ts";
import { formatDate, ofName, thin } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { periodWords, startWords } from "#contract/subscriptions/period-words.ts";
import type { SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { AnswerDelay } from "#web/app/shared/answer-delay.tsx";
import { PaymentEnd } from "#web/wallet/payment-end.tsx";
import { PaidOrder } from "#web/checkout/paid-order.tsx";
import type { Tone } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { CancelButton } from "./cancel-button.tsx";
import { Lines } from "./price-lines.tsx";
import { ReceiptButton } from "./receipt-button.tsx";

interface OutcomeText {
  icon: IconName;
  tone: Tone | "neutral";
  title: string;
  lines: string[];
}

function outcomeTextOf({
  state,
  quote,
  formula,
  holder,
  reason,
}: SubscriptionApplication): OutcomeText {
  const whose = holder.own ? "Votre abonnement" : `L’abonnement ${ofName(holder.name)}`;
  switch (state) {
    case "active":
      return {
        icon: "success",
        tone: "success",
        title: "Abonnement souscrit",
        lines: [
          `${whose} ${formula.name} ${periodWords(quote)}.`,
          "Nous vous préviendrons 30 jours, 7 jours et 1 jour avant la fin.",
        ],
      };
    case "review":
      return {
        icon: "clock",
        tone: "info",
        title: "Payé, en vérification",
        lines: [
          "Nous vérifions vos documents.",
          `${whose} commencera ${startWords(quote.startsOn)}. Sinon, tout reviendra là d’où l’argent est parti.`,
        ],
      };
    case "refused":
      return {
        icon: "close",
        tone: "danger",
        title: "Documents refusés",
        lines: [
          ...(reason ? [reason] : []),
          ...(quote.totalCents > 0 ? ["Le prix est revenu en entier là d’où il était parti."] : []),
          `Vous pouvez ouvrir un autre dossier${thin}: nous vérifions les documents ${answerDelay("subscription")}.`,
        ],
      };
    case "cancelled":
      return {
        icon: "refresh",
        tone: "neutral",
        title: "Abonnement annulé",
        lines: quote.totalCents > 0 ? ["Le prix est revenu en entier là d’où il était parti."] : [],
      };
    case "expired":
      return {
        icon: "calendar",
        tone: "neutral",
        title: "Abonnement terminé",
        lines: [`Il a pris fin le ${formatDate(quote.endsOn)}.`],
      };
    default:
      return {
        icon: "trash",
        tone: "neutral",
        title: "Dossier abandonné",
        lines: ["Rien n’a été payé."],
      };
  }
}

export function Outcome({ application }: { application: SubscriptionApplication }) {
  const { icon, tone, title, lines } = outcomeTextOf(application);
  const { id, state, paidAt, payer, holder, quote } = application;
  const isPayers = paidAt !== null && payer;
  const end = {
    icon,
    tone,
    title,
    words:
      state === "review" && paidAt
        ? [...lines, <AnswerDelay key="awaited" what="subscription" requestedAt={paidAt} />]
        : lines,
    acts: (
      <>
        <ButtonLink
          kind="primary"
          href={linkTo(paths.subscription, {}, { card: holder.cardnumber })}
        >
          Voir mes abonnements
        </ButtonLink>
        {isPayers && <ReceiptButton id={id} />}
        {state === "review" && payer && (
          <CancelButton id={id} paidCents={quote.totalCents} begun={false} />
        )}
      </>
    ),
  };
  if (!isPayers) return <PaymentEnd {...end} />;
  return (
    <PaidOrder {...end} order={id} ownReceipt facts={[{ label: "Pour", value: holder.name }]}>
      <Lines quote={quote} />
    </PaidOrder>
  );
}
