// French labels and addresses of passes.
import { formatDate, formatDateTime, formatTime } from "#contract/french.ts";
import type { Pass } from "#contract/passes/rows.ts";
import type { Tone } from "#web/ui/banner.tsx";

/** « Valable jusqu’au 30/11/2026 », « Dès le 01/12/2026 »… */
export function whenOf(pass: Pass): string {
  const { state, kind, validFrom, validUntil, lastDay, suspension } = pass;
  if (state === "suspended" && suspension?.since) {
    return `Suspendu depuis le ${formatDate(suspension.since)}`;
  }
  if (state === "pending") {
    const from = formatDate(validFrom);
    return kind === "day" ? `Le ${from}` : `Du ${from} au ${formatDate(lastDay)}`;
  }
  if (state === "active") {
    return kind === "single"
      ? `Valable jusqu’à ${formatTime(validUntil)}`
      : `Valable jusqu’au ${formatDate(lastDay)}`;
  }
  return kind === "single"
    ? `Terminé le ${formatDateTime(validUntil)}`
    : `Terminé le ${formatDate(lastDay)}`;
}

export const passTones: Readonly<Record<Pass["state"], Tone | "neutral">> = {
  pending: "info",
  active: "success",
  suspended: "warning",
  expired: "neutral",
  replaced: "neutral",
};

/** Where a pass is shown. */
export const passPath = ({
  idgroup,
  id,
  cardnumber,
}: Pick<Pass, "idgroup" | "id" | "cardnumber">) =>
  `/Abonnement/ligne/${idgroup}?titre=${id}&carte=${cardnumber}`;

/** Where a product is bought for a card. */
export const buyPath = (product: string, cardnumber: number): string =>
  `/Abonnement/ligne/purchase/abonnement?produit=${product}&carte=${cardnumber}`;

/** Where a purchase goes on. */
export const orderPath = (id: string): string =>
  `/Abonnement/ligne/purchase/abonnement?commande=${id}`;
