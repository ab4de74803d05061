// The card as the hero of the dashboard: its drawing, its state, and the way to its QR code.
import { useState } from "react";
import { type Card as CardOfContract, cardCan } from "#contract/cards/rows.ts";
import { formatDate } from "#contract/french.ts";
import { Card } from "#web/ui/card.tsx";
import { Icon } from "#web/ui/icon.tsx";
import styles from "./card-hero.module.css";
import { QrDialog } from "./qr-dialog.tsx";

/** `kind` is the word on the card. The QR is offered only while the card can pay. */
export function CardHero({ card, kind }: { card: CardOfContract; kind: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const usable = cardCan.spend(card);
  return (
    <div className={styles.cardHero}>
      <Card
        cardnumber={card.cardnumber}
        name={card.name}
        state={card.state}
        kind={kind}
        {...(card.validUntil && { validUntil: formatDate(card.validUntil) })}
        slot={
          usable && (
            <button type="button" className={styles.cardQrButton} onClick={() => setIsOpen(true)}>
              <Icon name="qr" size={32} />
              <span className="unseen">Afficher le QR code de la carte</span>
            </button>
          )
        }
      />
      <QrDialog card={card} open={isOpen} onClose={() => setIsOpen(false)} />
    </div>
  );
}
