// The words for who may spend the money of a top-up, and when.
import { type Card, cardCan } from "#contract/cards/rows.ts";
import { firstName, ofName } from "#contract/french.ts";

/** Of money that came: who may use it, and whether the card pays now. */
export function usableWords(card: Card | null): string {
  const child = card?.relation === "child" ? firstName(card.name) : null;
  if (card && !cardCan.spend(card)) {
    const whose = child ? `la carte ${ofName(child)}` : "votre carte";
    return `L’argent servira quand ${whose} pourra de nouveau payer.`;
  }
  return child
    ? `${child} peut s’en servir dès maintenant avec sa carte.`
    : "Vous pouvez vous en servir dès maintenant avec la carte.";
}
