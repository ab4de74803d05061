// Outcome of an application: what happened, what comes next, the receipt.
import { answerDelay } from "#contract/answer-delay.ts";
import { formatDate, ofName, thin } from "#contract/french.ts";
import { periodWords, startWords } from "#contract/subscriptions/period-words.ts";
import { type SubscriptionApplication, subscriptionPath } from "#contract/subscriptions/rows.ts";
import { Awaited } from "#web/app/awaited.tsx";
import type { Tone } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { Picture } from "#web/ui/picture.tsx";
import { CancelButton } from "./cancel-button.tsx";
import { Lines } from "./price-lines.tsx";
import { ReceiptButton } from "./receipt-button.tsx";
import styles from "./subscriptions.module.css";

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
  const told = outcomeTextOf(application);
  const paid = application.paidAt !== null;
  return (
    <div className={styles.subscriptionOutcome}>
      <div className={styles.subscriptionTold} aria-live="polite">
        <Picture icon={told.icon} tone={told.tone} />
        <h2 className={styles.subscriptionStep}>{told.title}</h2>
        {told.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {application.state === "review" && application.paidAt && (
          <p>
            <Awaited what="subscription" askedAt={application.paidAt} />
          </p>
        )}
      </div>
      <div className={styles.subscriptionActs} data-centre>
        <ButtonLink
          kind="primary"
          href={`${subscriptionPath}?carte=${application.holder.cardnumber}`}
        >
          Voir mes abonnements
        </ButtonLink>
        {paid && application.payer && <ReceiptButton id={application.id} />}
        {application.state === "review" && application.payer && (
          <CancelButton
            id={application.id}
            paidCents={application.quote.totalCents}
            begun={false}
          />
        )}
      </div>
      {paid && application.payer && <Lines quote={application.quote} />}
    </div>
  );
}
