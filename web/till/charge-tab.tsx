// « Encaisser »: the sale under way, then what became of it; beside them, where there is room, the day's sales.
import { lazy, Suspense, useState } from "react";
import type { TillCounter } from "#contract/till/rows.ts";
import { Skeleton } from "#web/ui/state.tsx";
import { emptySale, type TypedSale } from "./basket.ts";
import type { Sold } from "./charging.ts";
import { SaleForm, type Way } from "./sale-form.tsx";
import { useIsTablet } from "./use-window-width.ts";
import styles from "./sale.module.css";

const ChargeResult = lazy(async () => ({
  default: (await import("./charge-result.tsx")).ChargeResult,
}));
const OfflineChargeResult = lazy(async () => ({
  default: (await import("./offline-charge-result.tsx")).OfflineChargeResult,
}));
const DayPane = lazy(async () => ({ default: (await import("./day-pane.tsx")).DayPane }));

export function ChargeTab({
  counter,
  typed,
  onTyped,
  decides,
}: {
  counter: TillCounter;
  typed: TypedSale;
  onTyped: (typed: TypedSale) => void;
  /** Whether the person keeps the price list. */
  decides: boolean;
}) {
  const [sold, setSold] = useState<Sold | null>(null);
  const [salesMade, setSalesMade] = useState(0);
  const [usedCode, setUsedCode] = useState<string | null>(null);
  const [way, setWay] = useState<Way>({ keys: "keypad", camera: "closed" });
  const isTablet = useIsTablet();
  const keepSold = (made: Sold, code: string | undefined) => {
    setSold(made);
    setUsedCode(code ?? null);
    setSalesMade(salesMade + 1);
    // A reload from here on begins the next one: what is paid is not typed any more.
    onTyped(emptySale);
  };
  const next = () => setSold(null);
  return (
    <div className={styles.desk} data-checkout="">
      {sold === null ? (
        <SaleForm
          {...{ counter, typed, onTyped, decides, usedCode, way }}
          onWay={setWay}
          isNext={salesMade > 0}
          onSold={keepSold}
        />
      ) : "charge" in sold ? (
        <Suspense>
          <OfflineChargeResult sold={sold} onNext={next} />
        </Suspense>
      ) : (
        <Suspense>
          <ChargeResult id={sold.id} onNext={next} />
        </Suspense>
      )}
      {isTablet && (
        <div className={styles.day}>
          <Suspense fallback={<Skeleton lines={6} height="3.5rem" />}>
            <DayPane counter={counter} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
