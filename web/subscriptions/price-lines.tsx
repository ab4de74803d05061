// The price of a subscription, line by line.
import type { Quote } from "#contract/subscriptions/rows.ts";
import { Money } from "#web/ui/money.tsx";
import styles from "./subscriptions.module.css";

/** Each line of a price with its reason, then what they make. */
export function Lines({ quote }: { quote: Quote }) {
  return (
    <dl className={styles.priceLines}>
      {quote.lines.map(({ label, why, amountCents }) => (
        <div key={label} className={styles.priceLine}>
          <dt>
            {label}
            <span className={styles.priceWhy}>{why}</span>
          </dt>
          <dd>
            <Money cents={amountCents} />
          </dd>
        </div>
      ))}
      <div className={`${styles.priceLine} ${styles.priceTotal}`}>
        <dt>Total</dt>
        <dd>
          <Money cents={quote.totalCents} size="large" />
        </dd>
      </div>
    </dl>
  );
}
