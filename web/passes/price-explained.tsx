// A price and why it is so: the full one, the reduced one with its reason, the late fee, the total.
import type { PassOrder } from "#contract/passes/rows.ts";
import { Money } from "#web/ui/money.tsx";
import { Text } from "#web/ui/text.tsx";
import { ProofLink } from "./proof-link.tsx";
import styles from "./passes.module.css";

export function PriceExplained({ order }: { order: PassOrder }) {
  const { fullCents, cents, reason, lateFeeCents, totalCents } = order.price;
  const reduced = cents < fullCents;
  return (
    <div className={styles.price} aria-live="polite">
      <p className={styles.priceTotal}>
        <span>Prix</span>
        <span>
          {reduced && (
            <s className={styles.offerFull}>
              <span className="unseen">Plein tarif </span>
              <Money cents={fullCents} />
            </s>
          )}
          <Money cents={cents} size="large" />
        </span>
      </p>
      <Text tone="soft" size="fine">
        {reason} <ProofLink offer={order} />
      </Text>
      {lateFeeCents > 0 && (
        <p className={styles.priceLine}>
          <span>Frais de retard</span>
          <Money cents={lateFeeCents} />
        </p>
      )}
      {totalCents !== cents && (
        <p className={styles.priceTotal}>
          <span>Total</span>
          <Money cents={totalCents} size="large" />
        </p>
      )}
    </div>
  );
}
