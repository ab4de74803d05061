// French sentences about cancelling a meal: what is refunded and what stays due, before, in the confirmation
// and afterwards; and the deadline of the next order.
import {
  firstName,
  formatCredited,
  formatMoney,
  formatStillDue,
  formatTime,
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
    ? ` ${to.map((name) => `à ${name === null ? "vous" : firstName(name)}`).join(" et ")}`
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

/** The message once the meal is cancelled. */
export function cancelledWords(releasedCents: number, to: Payers): string {
  if (releasedCents === 0) return "Repas annulé.";
  return `Repas annulé, ${formatCredited(releasedCents)}${backTo(to)}.`;
}
