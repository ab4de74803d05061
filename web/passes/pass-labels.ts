// French labels and addresses of passes.
import { formatDate, formatDateTime, formatTime } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import type { Pass } from "#contract/passes/rows.ts";
import { passCan, passStateNames, passWaitsForCard } from "#contract/passes/states.ts";
import { paths } from "#contract/paths.ts";
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

const passTones: Readonly<Record<Pass["state"], Tone | "neutral">> = {
  pending: "info",
  active: "success",
  suspended: "warning",
  expired: "neutral",
  replaced: "neutral",
};

interface WaitForCard {
  badge: string;
  title: string;
  /** When the pass can be shown again. */
  back: string;
}

/** What a pass waits for while the card of its holder is not in use; null where it is. */
export function waitForCardOf(pass: Pass): WaitForCard | null {
  if (!passWaitsForCard(pass)) return null;
  if (pass.cardState === "suspended") {
    return {
      badge: "Carte suspendue",
      title: "La carte est suspendue.",
      back: "Ce titre revient dès que la carte est réactivée.",
    };
  }
  if (pass.cardState === "opposed") {
    return {
      badge: "Carte en opposition",
      title: "La carte est en opposition.",
      back: "Ce titre revient, avec un nouveau QR code, dès que la nouvelle carte est activée.",
    };
  }
  return {
    badge: "Carte inactive",
    title: "La carte n’est pas active.",
    back: "Ce titre revient dès qu’une carte est activée.",
  };
}

/** The badge of a pass: its state, unless its card keeps it from being shown. */
export function passBadge(pass: Pass): { tone: Tone | "neutral"; text: string } {
  const wait = waitForCardOf(pass);
  if (wait) return { tone: "warning", text: wait.badge };
  return { tone: passTones[pass.state], text: passStateNames[pass.state] };
}

/** Whether its code is shown: it is valid or will be, and the card of its holder is in use. */
export const canPresent = (pass: Pass): boolean => passCan.show(pass) && !passWaitsForCard(pass);

/** Where a pass is shown. */
export const passPath = ({
  idgroup,
  id,
  cardnumber,
}: Pick<Pass, "idgroup" | "id" | "cardnumber">) =>
  linkTo(paths.fares, { group: idgroup }, { pass: id, card: cardnumber });

/** Where a product is bought for a card. */
export const buyPath = (product: string, cardnumber: number): string =>
  linkTo(paths.passPurchase, {}, { product, card: cardnumber });

/** Where a purchase goes on. */
export const orderPath = (id: string): string => linkTo(paths.passPurchase, {}, { order: id });
