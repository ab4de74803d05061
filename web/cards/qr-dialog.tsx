// The dialog of the card's QR code. What draws the code comes with the first opening.
import { lazy, Suspense } from "react";
import type { Card } from "#contract/cards/rows.ts";
import { formatCardnumber } from "#contract/french.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { QrWait } from "./qr-wait.tsx";
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
      <Suspense fallback={<QrWait />}>
        <RotatingQr cardnumber={card.cardnumber} />
      </Suspense>
      <p className={styles.qrCard}>
        {card.name}
        <span className={styles.qrNumber}>{formatCardnumber(card.cardnumber)}</span>
      </p>
    </Dialog>
  );
}
