// The dialog of the card's QR code. What draws the code comes with the first opening.
import { lazy, Suspense } from "react";
import type { Card } from "#contract/cards/rows.ts";
import { formatCardnumber, formatMoney } from "#contract/french.ts";
import { smallSale } from "#contract/till/small-sales.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { QrSkeleton } from "./qr-skeleton.tsx";
import styles from "./card-hero.module.css";

const RotatingQr = lazy(async () => ({
  default: (await import("./rotating-qr.tsx")).RotatingQr,
}));

export function QrDialog({
  card,
  open,
  onClose,
}: {
  card: Pick<Card, "cardnumber" | "name">;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title="QR code de la carte">
      <Suspense fallback={<QrSkeleton />}>
        <RotatingQr cardnumber={card.cardnumber} holder={card.name} />
      </Suspense>
      <p className={styles.qrCard}>
        {card.name}
        <span className={styles.qrNumber}>{formatCardnumber(card.cardnumber)}</span>
      </p>
      <p className="field-hint">
        En caisse, {smallSale.perDay} paiements de moins de {formatMoney(smallSale.cents)} par jour
        passent sans confirmation. Les autres peuvent vous en demander une.
      </p>
    </Dialog>
  );
}
