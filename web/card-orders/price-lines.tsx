// The price of an order, line by line, VAT apart.
import type { CardOrderPrice } from "#contract/card-orders/price.ts";
import { formatMoney, plural } from "#contract/french.ts";
import { vatRates } from "#contract/invoices/vat.ts";
import { Money } from "#web/ui/money.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./card-orders.module.css";

export function PriceLines({ price }: { price: CardOrderPrice }) {
  const { quantity, unitCents, cardsCents, deliveryCents, netCents, vat, vatCents } = price;
  const lines = [
    [plural(quantity, "carte"), `${formatMoney(unitCents)} HT l’unité`, cardsCents],
    ["Livraison", deliveryCents === 0 ? "offerte" : null, deliveryCents],
    ["Total hors taxes", null, netCents],
    [`TVA ${vatRates[vat].name}`, null, vatCents],
  ] as const;
  return (
    <dl className={styles.price}>
      {lines.map(([label, why, cents]) => (
        <div key={label}>
          <dt>
            {label}
            {why && (
              <Text as="span" tone="soft" size="small" weight="normal">
                {why}
              </Text>
            )}
          </dt>
          <dd>
            <Money cents={cents} />
          </dd>
        </div>
      ))}
      <div className={styles.total}>
        <dt>Total TTC</dt>
        <dd>
          <Money cents={price.totalCents} size="large" />
        </dd>
      </div>
    </dl>
  );
}
