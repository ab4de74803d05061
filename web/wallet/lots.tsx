// The lots of a wallet, in the order in which they are spent (spec.md 17).
import { formatDate } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Money } from "#web/ui/money.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./wallets.module.css";

type Lot = Wallet["lots"][number];

/** Granted before purchased, what expires first before what lasts. */
const spendingOrder = (a: Lot, b: Lot): number =>
  Number(a.kind === "purchased") - Number(b.kind === "purchased") ||
  (a.expiresOn ?? "9999").localeCompare(b.expiresOn ?? "9999");

/** Nothing where the balance says it all: one lot of purchased money that never expires. */
export function Lots({ wallet }: { wallet: Wallet }) {
  const lots = wallet.lots.filter(({ balanceCents }) => balanceCents !== 0);
  if (lots.every(({ kind, expiresOn }) => kind === "purchased" && expiresOn === null)) return null;
  return (
    <div className={styles.lots}>
      <h4 className={styles.lotsTitle}>Dépensé dans cet ordre</h4>
      <DividedList as="ol">
        {lots.toSorted(spendingOrder).map((lot) => (
          <li key={`${lot.kind}-${lot.label}-${lot.expiresOn}`} className={styles.lot}>
            <Icon name={lot.kind === "granted" ? "gift" : "card"} size={20} />
            <span className={styles.lotWords}>
              <Text as="span" weight="strong" breakWord>
                {lot.label}
              </Text>
              <Text as="span" tone="soft" size="small">
                {lot.expiresOn
                  ? `à utiliser jusqu’au ${formatDate(lot.expiresOn)}`
                  : "sans date limite"}
              </Text>
            </span>
            <Money cents={lot.balanceCents} />
          </li>
        ))}
      </DividedList>
    </div>
  );
}
