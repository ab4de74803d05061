// The words of a top-up in each of its states: what happened, what to do, what comes next.
import type { Card } from "#contract/cards/rows.ts";
import { ofName, thin } from "#contract/french.ts";
import type { TopUp } from "#contract/payments/rows.ts";
import type { Tone } from "#web/ui/banner.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { short } from "./top-up-limits.ts";

/** The action of a button on a top-up's status; the first button is the main one. */
export type TopUpAction = "home" | "retry" | "other" | "more" | "history" | "receipt" | "pay";

export interface TopUpWords {
  icon: IconName;
  tone: Tone;
  title: string;
  lines: readonly string[];
  /** Says what must not be done now. */
  warning: string | null;
  acts: readonly TopUpAction[];
}

const notTwice = `Ne payez pas une seconde fois${thin}: ce paiement-ci est suivi.`;
const close = "Vous pouvez fermer cette page, nous vous prévenons dès que c’est fait.";

/**
 * The words of a top-up as it stands, of the wallet of this card. Typographic spaces are ours; the
 * server's reason is its own.
 */
export function topUpWords(
  topUp: Pick<TopUp, "state" | "amountCents" | "reason" | "frozen">,
  card: Card | null,
): TopUpWords {
  const amount = short(topUp.amountCents);
  const wallet = card?.relation === "child" ? `la cagnotte ${ofName(card.name)}` : "votre cagnotte";
  const reason = topUp.reason ? [topUp.reason] : [];
  switch (topUp.state) {
    case "initiated":
      return {
        icon: "clock",
        tone: "info",
        title: "Nous attendons la réponse du paiement",
        lines: [`Recharge de ${amount}. La réponse arrive d’ordinaire en moins d’une minute.`],
        warning: `Si vous venez de payer, ne payez pas une seconde fois${thin}: cette page change d’elle-même. ${close}`,
        acts: ["home", "pay"],
      };
    case "authorized":
      return {
        icon: "clock",
        tone: "info",
        title: "Votre banque a accepté le paiement",
        lines: [`${amount} sont en route vers ${wallet}. ${close}`],
        warning: notTwice,
        acts: ["home"],
      };
    case "credited":
      return {
        icon: "check",
        tone: "success",
        title: `${amount} ajoutés à ${wallet}`,
        lines: [],
        warning: null,
        acts: ["home", "receipt", "more"],
      };
    case "declined":
      return {
        icon: "close",
        tone: "danger",
        title: "La recharge n’a pas été payée",
        lines: [...reason, "Vous pouvez réessayer, ou demander à votre banque ce qui bloque."],
        warning: null,
        acts: ["retry", "other"],
      };
    case "review":
      return {
        icon: "search",
        tone: "warning",
        title: "Nous vérifions ce paiement",
        lines: [...reason, "Vous n’avez rien à faire. Gardez la référence ci-dessous."],
        warning: notTwice,
        acts: ["home"],
      };
    case "refunded":
      return {
        icon: "refresh",
        tone: "info",
        title: `${amount} ont été remboursés`,
        lines: ["L’argent revient sous quelques jours sur la carte bancaire qui a payé."],
        warning: null,
        acts: ["home", "history"],
      };
    case "disputed":
      return {
        icon: "lock",
        tone: "danger",
        title: "Ce paiement est contesté",
        lines: [
          ...reason,
          `${topUp.frozen ? "Elle sera débloquée à la fin du litige. " : ""}Gardez la référence ci-dessous.`,
        ],
        warning: null,
        acts: ["home", "history"],
      };
  }
}
