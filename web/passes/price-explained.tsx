// A price and why it is so: the full one, the reduced one with its reason, the late fee, the total.
import type { PassOrder } from "#contract/passes.ts";
import { Money } from "#web/ui/money.tsx";

export function PriceExplained({ order }: { order: PassOrder }) {
  const { fullCents, cents, reason, lateFeeCents, totalCents } = order.price;
  const reduced = cents < fullCents;
  return (
    <div className="price" aria-live="polite">
      <p className="price-total">
        <span>Prix</span>
        <span>
          {reduced && (
            <s className="offer-full">
              <span className="unseen">Plein tarif </span>
              <Money cents={fullCents} />
            </s>
          )}
          <Money cents={cents} size="large" />
        </span>
      </p>
      <p className="offer-note">{reason}</p>
      {lateFeeCents > 0 && (
        <>
          <p className="price-line">
            <span>Frais de retard</span>
            <Money cents={lateFeeCents} />
          </p>
          <p className="price-total">
            <span>Total</span>
            <Money cents={totalCents} size="large" />
          </p>
        </>
      )}
    </div>
  );
}
