// What cancelling a meal gives back and keeps, in words: before it, when asked, and after.
import { formatCredited, formatDateTime, formatMoney, formatStillDue } from "../french.ts";

/** What a meal of `priceCents` costs when it is cancelled now, and until when (ISO) it costs nothing. */
interface Cancellable {
  priceCents: number;
  cancelCostCents: number;
  cancelUntil: string | null;
}

/** Of a line in a list of meals. */
export function cancelTerms({ priceCents, cancelCostCents, cancelUntil }: Cancellable): string {
  if (priceCents === 0) return "Annulation sans frais";
  if (cancelCostCents === 0) {
    return cancelUntil === null
      ? "Annulation gratuite"
      : `Annulation gratuite jusqu’au ${formatDateTime(cancelUntil)}`;
  }
  const late = cancelUntil === null ? "Pas d’annulation gratuite" : "Délai d’annulation passé";
  return cancelCostCents >= priceCents
    ? `${late}\u202f: le repas reste dû`
    : `${late}\u202f: ${formatStillDue(cancelCostCents)}`;
}

/** Before one confirms; `to` is who gets the money back, null for the reader. */
export function cancelQuestion(meal: Cancellable, to: string | null): string {
  const { priceCents, cancelCostCents, cancelUntil } = meal;
  if (priceCents === 0) return "Annulation sans frais\u202f: ce repas ne coûte rien.";
  const back = to === null ? "" : ` à ${to}`;
  if (cancelCostCents === 0) return `Annulation gratuite, ${formatCredited(priceCents)}${back}.`;
  const isWhole = cancelCostCents >= priceCents;
  const late =
    cancelUntil === null
      ? `Cette cantine ne rembourse pas ${isWhole ? "les annulations" : "tout"}`
      : `Le délai est passé (${formatDateTime(cancelUntil)})`;
  return isWhole
    ? `${late}\u202f: le repas reste dû, ${formatMoney(priceCents)}. Rien n’est recrédité.`
    : `${late}\u202f: ${formatStillDue(cancelCostCents)}, ${formatCredited(priceCents - cancelCostCents)}${back}.`;
}

/** Once it is cancelled. */
export function cancelledWords(releasedCents: number, to: string | null): string {
  if (releasedCents === 0) return "Repas annulé.";
  return `Repas annulé, ${formatCredited(releasedCents)}${to === null ? "" : ` à ${to}`}.`;
}
