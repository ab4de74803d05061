// How a sale of the till reads: its tone, and the words of the verdict.
import { formatMoney, plural } from "#contract/french.ts";
import { loyalty } from "#contract/till/point-limits.ts";
import type { TillCounter, TillSale } from "#contract/till/rows.ts";
import type { TillSaleFilter } from "#contract/till/sales.ts";
import type { TillSaleState } from "#contract/till/states.ts";
import type { VerdictTone } from "#web/ui/verdict.tsx";

export const saleTones: Readonly<Record<TillSaleFilter, VerdictTone | "neutral">> = {
  requested: "warning",
  paid: "success",
  part: "neutral",
  cancelled: "neutral",
  refunded: "neutral",
  declined: "danger",
  withdrawn: "neutral",
  expired: "danger",
};

/** How the verdict of a sale looks and sounds. */
export const verdictToneOf = ({ state }: TillSale): VerdictTone =>
  state === "paid" ? "success" : state === "requested" ? "warning" : "danger";

/** The words of a verdict, read from two metres away. */
export function verdictWordsOf({ state, paidCents }: TillSale): string {
  const words: Record<TillSaleState, string> = {
    requested: `En attente, ${formatMoney(paidCents)}`,
    paid: `Payé, ${formatMoney(paidCents)}`,
    cancelled: "Achat annulé",
    refunded: "Achat remboursé",
    declined: "Refusé par la personne",
    withdrawn: "Demande abandonnée",
    expired: "Pas de réponse à temps",
  };
  return words[state];
}

/**
 * « 80 points utilisés, −0,80 € · 12 points gagnés », to come while it waits, « 80 points rendus » once it is
 * given back; nothing without points, or of a sale that nobody paid.
 */
export function pointWordsOf({
  state,
  pointsUsed: used,
  pointsEarned: earned,
}: Pick<TillSale, "state" | "pointsUsed" | "pointsEarned">): string {
  const off = `, −${formatMoney(used * loyalty.pointCents)}`;
  const words: Partial<Record<TillSaleState, readonly (string | false)[]>> = {
    requested: [
      used > 0 && plural(used, "point à utiliser", "points à utiliser") + off,
      earned > 0 && plural(earned, "point à gagner", "points à gagner"),
    ],
    paid: [
      used > 0 && plural(used, "point utilisé", "points utilisés") + off,
      earned > 0 && plural(earned, "point gagné", "points gagnés"),
    ],
    cancelled: [used > 0 && plural(used, "point rendu", "points rendus")],
    refunded: [used > 0 && plural(used, "point rendu", "points rendus")],
  };
  return (words[state] ?? []).filter(Boolean).join(" · ");
}

/** The effect of a cancellation: « 9,20 € reviennent tout de suite à la personne, avec ses 80 points. » */
export function cancelWordsOf({
  paidCents,
  pointsUsed,
  pointsEarned,
}: Pick<TillSale, "paidCents" | "pointsUsed" | "pointsEarned">): string {
  const used =
    pointsUsed > 0 ? `, avec ${pointsUsed > 1 ? `ses ${pointsUsed} points` : "son point"}` : "";
  const earned =
    pointsEarned > 0
      ? ` ${plural(pointsEarned, "point n’est pas gagné", "points ne sont pas gagnés")}.`
      : "";
  return `${formatMoney(paidCents)} reviennent tout de suite à la personne${used}.${earned}`;
}

/** The words for the points of a sale after a refund of a part of it; nothing without points. */
export function refundPointWordsOf({
  pointsUsed,
  pointsEarned,
}: Pick<TillSale, "pointsUsed" | "pointsEarned">): string {
  const used = pointsUsed > 0 && "Les points utilisés reviennent dans la même part.";
  const earned = pointsEarned > 0 && "Ceux que cette somme avait fait gagner sont repris.";
  if (used) return [used, earned].filter(Boolean).join(" ");
  return earned ? "Les points que cette somme avait fait gagner sont repris." : "";
}

/** « 8,00 € moins 0,40 € de remise »; nothing without a discount. */
export const discountWordsOf = ({
  amountCents,
  discountCents,
}: Pick<TillSale, "amountCents" | "discountCents">): string =>
  discountCents > 0
    ? `${formatMoney(amountCents)} moins ${formatMoney(discountCents)} de remise`
    : "";

/** Who pays, as far as the counter may know it. */
export const payerOf = ({ holder, last4 }: TillSale): string =>
  holder ? `${holder}, carte …${last4}` : `Carte …${last4}`;

/** The discount and the points that the terms of the counter give. */
export const termsOf = ({ discountPercent, pointsPerEuro }: TillCounter): string =>
  [
    discountPercent > 0 && `Remise de ${discountPercent} % déduite`,
    pointsPerEuro > 0 && `${plural(pointsPerEuro, "point")} par euro payé`,
  ]
    .filter(Boolean)
    .join(" · ");
