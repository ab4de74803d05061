// How a sale of the till reads: its tone, and the words of the verdict.
import { formatMoney, plural } from "#contract/french.ts";
import { loyalty } from "#contract/loyalty/limits.ts";
import type { TillSale } from "#contract/till/rows.ts";
import type { TillSaleState } from "#contract/till/states.ts";
import type { VerdictTone } from "#web/ui/verdict.tsx";

export const saleTones: Readonly<Record<TillSaleState, VerdictTone | "neutral">> = {
  asked: "warning",
  paid: "success",
  cancelled: "neutral",
  refunded: "neutral",
  declined: "danger",
  withdrawn: "neutral",
  expired: "danger",
};

/** How the verdict of a sale looks and sounds. */
export const verdictToneOf = ({ state }: TillSale): VerdictTone =>
  state === "paid" ? "success" : state === "asked" ? "warning" : "danger";

/** What the counter reads from two metres away. */
export function verdictWordsOf({ state, paidCents }: TillSale): string {
  const words: Record<TillSaleState, string> = {
    asked: "En attente de la personne",
    paid: `Payé, ${formatMoney(paidCents)}`,
    cancelled: "Achat annulé",
    refunded: "Achat remboursé",
    declined: "Refusé par la personne",
    withdrawn: "Demande abandonnée",
    expired: "Pas de réponse à temps",
  };
  return words[state];
}

/** « 80 points utilisés, −0,80 € · 12 points gagnés », to come while it waits; nothing without points. */
export const pointWordsOf = ({
  state,
  pointsUsed,
  pointsEarned,
}: Pick<TillSale, "state" | "pointsUsed" | "pointsEarned">): string =>
  [
    pointsUsed > 0 &&
      `${state === "asked" ? plural(pointsUsed, "point à utiliser", "points à utiliser") : plural(pointsUsed, "point utilisé", "points utilisés")}, −${formatMoney(pointsUsed * loyalty.pointCents)}`,
    pointsEarned > 0 &&
      state === "asked" &&
      plural(pointsEarned, "point à gagner", "points à gagner"),
    pointsEarned > 0 && state === "paid" && plural(pointsEarned, "point gagné", "points gagnés"),
  ]
    .filter(Boolean)
    .join(" · ");

/** Who pays, as far as the counter may know it. */
export const payerOf = ({ holder, ending }: TillSale): string =>
  holder ? `${holder}, carte …${ending}` : `Carte …${ending}`;
