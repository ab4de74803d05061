// Meals of the family as lines: who, where, their state and price, the code of each, and cancelling it.
import { lazy, Suspense, useState } from "react";
import type { MealOrder } from "#contract/meals/orders.ts";
import { cancelTerms } from "#contract/meals/cancel-words.ts";
import { mealOrderCan, mealOrderStateNames, type MealOrderState } from "#contract/meals/states.ts";
import { firstName, formatMoney, formatTime, ofName } from "#contract/french.ts";
import { Badge, type Tone } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Text } from "#web/ui/text.tsx";
import { AllergenWarningLine } from "./allergen-warning.tsx";
import styles from "./family-meals.module.css";

const CancelMeals = lazy(async () => ({
  default: (await import("./cancel-meals.tsx")).CancelMeals,
}));
const MealCode = lazy(async () => ({ default: (await import("./meal-code.tsx")).MealCode }));

const tones: Readonly<Record<MealOrderState, Tone | "neutral">> = {
  reserved: "info",
  validated: "info",
  served: "success",
  refused: "danger",
  cancelled: "neutral",
  absent: "warning",
  expired: "warning",
};

/** `names` are those of all people on the screen; meals to come have their code. */
export function MealLines({
  orders,
  names,
  areComing,
}: {
  orders: readonly MealOrder[];
  names: readonly string[];
  areComing: boolean;
}) {
  const [cancelled, setCancelled] = useState<string | null>(null);
  const [presented, setPresented] = useState<MealOrder | null>(null);
  return (
    <>
      <ul className={styles.lines}>
        {orders.map((one) => (
          <MealLine
            key={one.id}
            order={one}
            names={names}
            onPresent={areComing ? () => setPresented(one) : undefined}
            onCancel={() => setCancelled(one.id)}
          />
        ))}
      </ul>
      {cancelled && (
        <Suspense>
          <CancelMeals orders={[cancelled]} onClose={() => setCancelled(null)} />
        </Suspense>
      )}
      {presented && (
        <Suspense>
          <MealCode order={presented} onClose={() => setPresented(null)} />
        </Suspense>
      )}
    </>
  );
}

function MealLine({
  order,
  names,
  onPresent,
  onCancel,
}: {
  order: MealOrder;
  names: readonly string[];
  onPresent: (() => void) | undefined;
  onCancel: () => void;
}) {
  const { name, canteen, state, priceCents, priceReason, chargedCents } = order;
  return (
    <li>
      <span className={styles.mealWords}>
        <span className={styles.mealName}>
          {firstName(name, names)} · {canteen}
        </span>
        <Text as="span" tone="soft" size="small">
          {detailOf(order)}
        </Text>
        <AllergenWarningLine warning={order.warning} />
        {order.orderedBy !== null && (
          <Text as="span" tone="soft" size="small">
            {orderedByOf(order)}
          </Text>
        )}
      </span>
      <Badge tone={tones[state]}>{mealOrderStateNames[state]}</Badge>
      <Text as="span" numeric noWrap title={priceReason}>
        {formatMoney(chargedCents ?? priceCents)}
      </Text>
      {onPresent && mealOrderCan.hold(order) && (
        <Button size="small" icon="qr" onClick={onPresent}>
          Code<span className="unseen"> du repas {ofName(firstName(name, names))}</span>
        </Button>
      )}
      {order.canCancel && (
        <Button size="small" onClick={onCancel}>
          {order.toReview ? "Garder ou annuler" : "Annuler"}
        </Button>
      )}
    </li>
  );
}

const orderedByOf = ({ orderedBy, paidBy }: MealOrder): string =>
  `Commandé${paidBy.length === 1 && paidBy[0] === orderedBy ? " et payé" : ""} par ${firstName(orderedBy ?? "")}`;

function detailOf(order: MealOrder): string {
  const { state, servedAt, endReason, canCancel, priceReason } = order;
  if (servedAt && state === "served") return `Servi à ${formatTime(servedAt)}`;
  if (endReason) return endReason;
  return canCancel ? cancelTerms(order) : priceReason;
}
