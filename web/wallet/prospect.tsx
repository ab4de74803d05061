// What becomes of a wallet's money.
import { todayInParis } from "#contract/days.ts";
import { formatAbout, formatMoney } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import styles from "./wallets.module.css";

/** The rest once what is booked is paid, and the day it runs out; nothing where there is neither. */
export function Prospect({ wallet }: { wallet: Wallet }) {
  const { heldCents, projectedCents, emptyOn } = wallet;
  if (heldCents === 0 && emptyOn === null) return null;
  return (
    <span className={styles.prospect}>
      {heldCents > 0 && (
        <span>
          après vos réservations <strong>{formatMoney(projectedCents)}</strong>
        </span>
      )}
      {emptyOn && <EmptyOn day={emptyOn} />}
    </span>
  );
}

/** About when it runs out (YYYY-MM-DD). */
export const EmptyOn = ({ day }: { day: string }) => (
  <span>
    tient jusqu’à <strong>{formatAbout(day, todayInParis())}</strong> environ
  </span>
);
