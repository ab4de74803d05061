// Meals of a family by day with their states, each cancelled from its line. Used by the follow-up, the
// dashboard and the page of a child.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import type { MealOrder } from "#contract/meals/orders.ts";
import { cancelTerms } from "#contract/meals/cancel-words.ts";
import { mealOrderCan, mealOrderStateNames, type MealOrderState } from "#contract/meals/states.ts";
import {
  firstName,
  formatDayInWords,
  formatMoney,
  formatTime,
  ofName,
  plural,
} from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { useTitleRefresh } from "#web/app/shared/use-title-refresh.ts";
import { Badge, type Tone } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { SeeMore } from "#web/ui/query-list.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
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

/**
 * Meals of the family, or of one card, day by day. `days` shows only the first of them, for a place that
 * leads to the whole list; `quiet` says that there is none in a line, without leading anywhere.
 */
export function MealList({
  when,
  cardnumber,
  days: maxDays,
  quiet = false,
}: {
  when: "coming" | "past";
  cardnumber?: number | undefined;
  days?: number;
  quiet?: boolean;
}) {
  const [cancelled, setCancelled] = useState<string | null>(null);
  const [presented, setPresented] = useState<MealOrder | null>(null);
  const query = { when, ...(cardnumber !== undefined && { cardnumber }) };
  const list = usePages(api.canteen.orders, query, { by: "after" });
  useTitleRefresh(when === "coming" && list.data);
  if (!list.data) {
    return (
      <NotLoaded
        answer={list}
        label="Chargement des repas…"
        lines={4}
        height="4rem"
        failed="Les repas n’ont pas pu être lus."
      />
    );
  }
  const { items } = list;
  if (items.length === 0 && quiet) {
    return (
      <Text tone="soft" size="small">
        {when === "coming" ? "Aucun repas à venir." : "Aucun repas passé."}
      </Text>
    );
  }
  if (items.length === 0) {
    return (
      <EmptyState
        icon="meal"
        title={when === "coming" ? "Aucun repas à venir" : "Aucun repas passé"}
        action={<ButtonLink href={paths.canteenProviders}>Voir les cantines</ButtonLink>}
      >
        Les repas que vous commandez paraissent ici, avec leur état.
      </EmptyState>
    );
  }
  const names = items.map(({ name }) => name);
  const days = [...Map.groupBy(items, ({ day }) => day)].slice(0, maxDays);
  return (
    <Stack gap={8}>
      {days.map(([day, some]) => (
        <section key={day} className={styles.orderDay}>
          <h3>{formatDayInWords(day)}</h3>
          <ul className={styles.lines}>
            {some.map((one) => (
              <Order
                key={one.id}
                order={one}
                names={names}
                onPresent={when === "coming" ? () => setPresented(one) : undefined}
                onCancel={() => setCancelled(one.id)}
              />
            ))}
          </ul>
        </section>
      ))}
      {maxDays === undefined && (
        <SeeMore
          countLabel={`${plural(items.length, "repas affiché", "repas affichés")}.`}
          next={list.next}
        />
      )}
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
    </Stack>
  );
}

function Order({
  order,
  names,
  onPresent,
  onCancel,
}: {
  order: MealOrder;
  /** Of all whose meals are shown. */
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
