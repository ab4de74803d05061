// The drawings of the tour, made of the product's own things: cards, an amount, a week of meals.
import { motifOf } from "#contract/motif.ts";
import { Card } from "#web/ui/card.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Money } from "#web/ui/money.tsx";
import styles from "./tour-drawings.module.css";

interface Drawn {
  cardnumber: number;
  name: string;
}

/** Small cards beside each other: one's own, those of the children, or the place of the first one. */
export const FamilyDrawing = ({ own, others }: { own: Drawn; others: readonly Drawn[] }) => (
  <div className={styles.family}>
    {[own, ...others.slice(0, 2)].map(({ cardnumber, name }) => (
      <div key={cardnumber} className={styles.familyCard}>
        <Card cardnumber={cardnumber} name={name} size="thumbnail" />
      </div>
    ))}
    {others.length === 0 && (
      <div className={styles.familyPlace}>
        <Icon name="plus" size={32} />
      </div>
    )}
  </div>
);

/** What the wallet holds, over the curves of its card. */
export const AmountDrawing = ({ cardnumber, cents }: { cardnumber: number; cents: number }) => (
  <div className={styles.amount}>
    <svg viewBox="0 0 856 540" preserveAspectRatio="xMidYMid slice" className={styles.amountLines}>
      {motifOf(cardnumber, 7).ribbon.map((curve) => (
        <path key={curve} d={curve} />
      ))}
    </svg>
    <span className={styles.amountName}>Cagnotte</span>
    <Money cents={cents} size="hero" />
  </div>
);

const days = ["lun.", "mar.", "mer.", "jeu.", "ven."];
/** The day without school. */
const free = 2;

/** A week of the canteen as one orders it. */
export const WeekDrawing = () => (
  <div className={styles.week}>
    {days.map((day, place) => (
      <div key={day} className={styles.weekDay} data-free={place === free || undefined}>
        <span>{day}</span>
        <Icon name={place === free ? "minus" : "meal"} />
        {place !== free && <Icon name="check" size={20} />}
      </div>
    ))}
  </div>
);
