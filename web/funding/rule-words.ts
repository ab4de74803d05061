// A rule of automatic top-up in sentences.
import { formatDate, formatDateTime, thin } from "#contract/french.ts";
import type { PauseReason, Rule } from "#contract/funding/rows.ts";
import { short } from "#web/wallet/top-up-limits.ts";

/** « Quand le solde passe sous 10 € », « Le 5 de chaque mois ». */
export function whenWords({ when }: Pick<Rule, "when">): string {
  if (when.trigger === "threshold")
    return `Quand le solde passe sous ${short(when.thresholdCents)}`;
  return `Le ${when.day === 1 ? "1er" : when.day} de chaque mois`;
}

/** « Ajouter 20 € », « Compléter jusqu’à 50 € ». */
export const whatWords = ({ mode, amountCents }: Pick<Rule, "mode" | "amountCents">): string =>
  mode === "amount" ? `Ajouter ${short(amountCents)}` : `Compléter jusqu’à ${short(amountCents)}`;

const paused: Readonly<Record<PauseReason, string>> = {
  person: "Vous pouvez la reprendre quand vous voulez.",
  refused:
    "La banque a refusé quatre fois de suite. Vérifiez votre carte bancaire, ou prenez-en une autre, avant de reprendre.",
  payment_method: "Son moyen de paiement n’est plus enregistré. Choisissez-en un autre.",
  wallet: "La cagnotte ne pouvait pas être rechargée.",
};

/** What comes next, or what is missing; null when there is nothing to say. */
export function nextWords(rule: Rule): string | null {
  if (rule.state === "waiting") {
    return `Pas encore active${thin}: faites un premier paiement et acceptez de garder la carte bancaire.`;
  }
  if (rule.state === "paused") return rule.pausedWhy && paused[rule.pausedWhy];
  if (rule.nextTryAt) {
    return `La banque a refusé. Nouvel essai le ${formatDateTime(rule.nextTryAt)}.`;
  }
  return rule.nextOn && `Prochaine recharge le ${formatDate(rule.nextOn)}.`;
}
