// French sentences about cancelling a meal: what is refunded and what stays due, before, in the confirmation
// and afterwards; and the deadline of the next order.
import {
  firstName,
  formatCredited,
  formatMoney,
  formatStillDue,
  formatTime,
  listInWords,
  plural,
  spokenDay,
  untilDay,
} from "../french.ts";

/** What cancelling a meal of `priceCents` costs now, and until when (ISO) it is free. */
interface CancellationTerms {
  priceCents: number;
  cancelCostCents: number;
  cancelUntil: string | null;
}

/** Until when a meal is cancelled at no cost: « jusqu’à demain 10:00 ». */
export const freeUntil = (cancelUntil: string, now = new Date()): string =>
  `Annulation gratuite ${untilDay(cancelUntil, now)} ${formatTime(cancelUntil)}`;

/** Until when the next meals of a canteen can be ordered: « jusqu’à demain 10:00 ». */
export const nextOrder = (orderUntil: string, now = new Date()): string =>
  `Prochaine commande à faire ${untilDay(orderUntil, now)} ${formatTime(orderUntil)}`;

/** The cancellation terms shown on a line in a list of meals. */
export function cancelTerms(meal: CancellationTerms, now = new Date()): string {
  const { priceCents, cancelCostCents, cancelUntil } = meal;
  if (priceCents === 0) return "Annulation sans frais";
  if (cancelCostCents === 0) {
    return cancelUntil === null ? "Annulation gratuite" : freeUntil(cancelUntil, now);
  }
  const late = cancelUntil === null ? "Pas d’annulation gratuite" : "Délai d’annulation passé";
  return cancelCostCents >= priceCents
    ? `${late}\u202f: le repas reste dû`
    : `${late}\u202f: ${formatStillDue(cancelCostCents)}`;
}

/** Whose wallets are refunded, null for the reader's own; named unless it is the reader alone. */
type Payers = readonly (string | null)[];

/** « à Léo et à vous », after a space. */
const backTo = (to: Payers): string =>
  to.some((name) => name !== null)
    ? ` ${listInWords(to.map((name) => `à ${name === null ? "vous" : firstName(name)}`))}`
    : "";

/** The question asked before a cancellation is confirmed. */
export function cancelQuestion(meal: CancellationTerms, to: Payers, now = new Date()): string {
  const { priceCents, cancelCostCents, cancelUntil } = meal;
  if (priceCents === 0) return "Annulation sans frais\u202f: ce repas ne coûte rien.";
  const back = backTo(to);
  if (cancelCostCents === 0) return `Annulation gratuite, ${formatCredited(priceCents)}${back}.`;
  const isWhole = cancelCostCents >= priceCents;
  const late =
    cancelUntil === null
      ? `Cette cantine ne rembourse pas ${isWhole ? "les annulations" : "tout"}`
      : `Le délai est passé (${spokenDay(cancelUntil, now)} ${formatTime(cancelUntil)})`;
  return isWhole
    ? `${late}\u202f: le repas reste dû, ${formatMoney(priceCents)}. Rien n’est recrédité.`
    : `${late}\u202f: ${formatStillDue(cancelCostCents)}, ${formatCredited(priceCents - cancelCostCents)}${back}.`;
}

/** The same question about several meals at once: how many still cost something, and what all of them give back. */
export function cancelAllQuestion(meals: readonly CancellationTerms[], to: Payers): string {
  const priceCents = meals.reduce((sum, meal) => sum + meal.priceCents, 0);
  const costCents = meals.reduce((sum, meal) => sum + meal.cancelCostCents, 0);
  const late = meals.filter(({ cancelCostCents }) => cancelCostCents > 0).length;
  if (priceCents === 0) return "Annulation sans frais\u202f: ces repas ne coûtent rien.";
  if (late === 0) return `Annulation gratuite, ${formatCredited(priceCents)}${backTo(to)}.`;
  const dueCount =
    late === meals.length
      ? "Ces repas ne sont plus gratuits à annuler"
      : plural(late, "repas n’est plus gratuit", "repas ne sont plus gratuits");
  return costCents >= priceCents
    ? `${dueCount}\u202f: ${formatStillDue(costCents)}. Rien n’est recrédité.`
    : `${dueCount}\u202f: ${formatStillDue(costCents)}, ${formatCredited(priceCents - costCents)}${backTo(to)}.`;
}

/** The message once `count` meals are cancelled. */
export function cancelledWords(releasedCents: number, to: Payers, count = 1): string {
  const subject = count === 1 ? "Repas annulé" : plural(count, "repas annulé", "repas annulés");
  return releasedCents === 0
    ? `${subject}.`
    : `${subject}, ${formatCredited(releasedCents)}${backTo(to)}.`;
}
