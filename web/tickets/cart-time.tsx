// How long the seats of a cart are held, and five minutes before the end the way to hold them longer.
import { useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import { tickets as limits } from "#contract/tickets/limits.ts";
import type { Cart } from "#contract/tickets/cart.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { useFocusAfterRemoval } from "#web/ui/focus.ts";
import { Countdown } from "#web/ui/person.tsx";
import styles from "./tickets.module.css";
import { keepCart } from "./use-cart.ts";

export function CartTime({
  cart,
  skewMs,
  onEnd,
}: {
  cart: Cart;
  skewMs: number;
  onEnd: () => void;
}) {
  const { expiresAt, longestUntil } = cart;
  const isEnding = useIsEnding(expiresAt, skewMs);
  const canExtend = longestUntil > expiresAt;
  const place = useFocusAfterRemoval(isEnding ? 1 : 0, "p");
  const extend = useAction(() => call(api.tickets.extendCart, { order: cart.id }), {
    onDone: keepCart,
  });
  return (
    <div ref={place}>
      <p className={styles.cartTime}>
        Vos places sont gardées encore{" "}
        <strong>
          <Countdown until={expiresAt} skewMs={skewMs} onEnd={onEnd} />
        </strong>
      </p>
      {isEnding && (
        <Banner
          tone="warning"
          alert
          title="Vos places seront libérées dans moins de 5 minutes."
          actions={
            canExtend && (
              <Button
                size="small"
                icon="refresh"
                loading={extend.isPending}
                onClick={() => extend.send()}
              >
                Garder mes places plus longtemps
              </Button>
            )
          }
        >
          {extend.problem?.message ?? (canExtend ? null : "Payez ce panier pour les garder.")}
        </Banner>
      )}
    </div>
  );
}

/** True in the last minutes before an instant; `skewMs` is server clock minus device clock. */
function useIsEnding(until: string, skewMs: number): boolean {
  const warnAtMs = Date.parse(until) - skewMs - limits.cartWarningSeconds * 1000;
  const [warnedAtMs, setWarnedAtMs] = useState<number | null>(null);
  useEffect(() => {
    const warn = () => setWarnedAtMs(warnAtMs);
    const timer = setTimeout(warn, Math.max(0, warnAtMs - Date.now()));
    return () => clearTimeout(timer);
  }, [warnAtMs]);
  return warnedAtMs === warnAtMs;
}
