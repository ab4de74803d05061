// The end of a file: what happened, what comes next, the receipt.
import { formatDate } from "#contract/french.ts";
import { type SubscriptionFile, subscriptionPath } from "#contract/subscriptions.ts";
import type { Tone } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { Picture } from "#web/ui/picture.tsx";
import { CancelButton } from "./cancel-button.tsx";
import { Lines } from "./price-step.tsx";
import { ReceiptButton } from "./receipt-button.tsx";

interface Told {
  icon: IconName;
  tone: Tone | "neutral";
  title: string;
  lines: string[];
}

function toldOf({ state, quote, formula, holder, reason }: SubscriptionFile): Told {
  const whose = holder.own ? "Votre abonnement" : `L’abonnement de ${holder.name}`;
  switch (state) {
    case "active":
      return {
        icon: "success",
        tone: "success",
        title: "Abonnement souscrit",
        lines: [
          `${whose} ${formula.name} court du ${formatDate(quote.startsOn)} au ${formatDate(quote.endsOn)}.`,
          "Nous vous préviendrons 30 jours, 7 jours et 1 jour avant la fin.",
        ],
      };
    case "review":
      return {
        icon: "clock",
        tone: "info",
        title: "Payé, en vérification",
        lines: [
          "Nous vérifions vos documents, sous deux jours ouvrés.",
          `${whose} commencera dès qu’ils seront acceptés. Sinon, tout reviendra sur la cagnotte.`,
        ],
      };
    case "refused":
      return {
        icon: "close",
        tone: "danger",
        title: "Documents refusés",
        lines: [...(reason ? [reason] : []), "Le prix est revenu en entier sur la cagnotte."],
      };
    case "cancelled":
      return {
        icon: "refresh",
        tone: "neutral",
        title: "Abonnement annulé",
        lines: ["Le prix est revenu en entier sur la cagnotte qui avait payé."],
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

export function Outcome({ file }: { file: SubscriptionFile }) {
  const told = toldOf(file);
  const paid = file.paidAt !== null;
  return (
    <div className="subscription-outcome">
      <div className="subscription-told" aria-live="polite">
        <Picture icon={told.icon} tone={told.tone} />
        <h2 className="subscription-step">{told.title}</h2>
        {told.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <div className="subscription-acts" data-centre>
        <ButtonLink kind="primary" href={`${subscriptionPath}?carte=${file.holder.cardnumber}`}>
          Voir mes abonnements
        </ButtonLink>
        {paid && <ReceiptButton id={file.id} />}
        {file.state === "review" && <CancelButton id={file.id} paidCents={file.quote.totalCents} />}
      </div>
      {paid && <Lines quote={file.quote} />}
    </div>
  );
}
