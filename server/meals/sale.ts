// Chosen meals as a sale of the checkout: the price is held in the wallet, one hold for each meal, spent when
// the meal is served; then the seats are taken.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDate, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Quote, ReservedMoney, Sale } from "#server/checkout/checkout.ts";
import { auditAll } from "#server/identity/identity.ts";
import { reserve, schemeAccount } from "#server/wallet/wallet.ts";
import { announceMeal } from "./announcements.ts";
import { pushProviderChange } from "./ordered-meals.ts";
import { useOffers } from "./seat-offers.ts";
import { lockServicesOfRegistrations } from "./services.ts";
import {
  evaluateMeals,
  type EvaluatedMeal,
  type RequestRow,
  requestColumns,
  readRequestedMeals,
} from "./requests.ts";

interface MealQuote extends Quote {
  meals: readonly EvaluatedMeal[];
}

export const mealSale: Sale<RequestRow, MealQuote> = {
  kind: "meals",
  account: "meals",
  isUncounted: true,
  lock: async (tx, id, caller) => {
    const callerId = caller?.personId ?? null;
    const found = await query(tx).maybeOne(sql<RequestRow>`select ${requestColumns}
      from meal_request q join canteen_provider v on v.id = q.provider_id
      where q.id = ${id} and (${callerId}::bigint is null or q.person_id = ${callerId}::bigint)
      for update of q`);
    if (!found) throw new Problem("not_found");
    return found;
  },
  isPaid: ({ state }) => state === "paid",
  quote: quoteMeals,
  priceFor: ({ meals }, personId) => {
    const theirs = meals.filter(({ rules }) => rules.personId === personId);
    return theirs.length === 0 ? null : priceOf(theirs);
  },
  reserve: placeOrders,
  returnPath: ({ id, groupId, slug }) =>
    linkTo(paths.meals, {}, { order: id, group: groupId, name: slug }),
  fulfil: async (tx, deps, { id, personId }, { quote, sold: { at }, receipt }) => {
    await sql`update meal_request set state = 'paid', paid_at = ${at} where id = ${id}`.execute(tx);
    for (const canteenId of new Set(quote.meals.map(({ rules }) => rules.canteenId))) {
      await pushProviderChange(tx, { canteenId });
    }
    const eaters = [...new Set(quote.meals.map(({ rules }) => rules.personId))];
    await announceMeal(tx, deps, eaters, {
      title: "Repas commandés",
      body: (reader) => `${reader.id === personId ? quote.label : labelFor(quote, reader.id)}.`,
      payer: { id: personId, receipt },
      at,
    });
    await takeSeats(tx, quote.meals, at);
  },
};

/** The price of a request's meals; throws the problem that keeps one of them from being ordered. */
async function quoteMeals(
  tx: Tx,
  request: RequestRow,
  moment: { at: Date; late: boolean },
): Promise<MealQuote> {
  await holdCanteens(tx, request.id);
  const requestedMeals = await readRequestedMeals(tx, request.id);
  const meals = await evaluateMeals(tx, requestedMeals, moment);
  if (meals.length === 0) throw new Problem("meal_request_over");
  for (const { problem } of meals) if (problem) throw problem;
  return { totalCents: priceOf(meals), label: labelOf(meals), groupId: request.groupId, meals };
}

/** The price of meals together, in cents. */
const priceOf = (meals: readonly EvaluatedMeal[]): number =>
  meals.reduce((sum, { terms }) => sum + (terms.price?.priceCents ?? 0), 0);

/** Locks closings, rules and prices as they were evaluated until the meals are ordered. */
async function holdCanteens(tx: Tx, requestId: string): Promise<void> {
  await sql`select from canteen where id in (
      select r.canteen_id from meal_request_line l
      join canteen_registration r on r.id = l.registration_id where l.request_id = ${requestId})
    order by id for share`.execute(tx);
}

/** « 12 repas, Jade Moreau et Léo Moreau ». */
function labelOf(meals: readonly EvaluatedMeal[]): string {
  const names = [...new Set(meals.map(({ rules }) => rules.name))].toSorted();
  return `${plural(meals.length, "repas", "repas")}, ${names.join(" et ")}`;
}

/**
 * The part of a request that concerns a reader: the meals of an eater, or all for a guardian who did not pay.
 */
function labelFor({ meals }: MealQuote, readerId: number): string {
  const own = meals.filter(({ rules }) => rules.personId === readerId);
  return labelOf(own.length > 0 ? own : meals);
}

/**
 * Holds the prices and writes the orders; returns the holds. A meal is its person's own wallet's where one
 * pays; after a payment at the provider, the wallet's that its first money comes from.
 */
async function placeOrders(
  tx: Tx,
  request: RequestRow,
  { quote, sold, ownWallets, from }: ReservedMoney<MealQuote>,
): Promise<number[]> {
  const { meals } = quote;
  const ids = meals.map(() => randomUUID());
  const holds = await reserve(tx, {
    walletId: sold.walletId,
    items: meals.map(({ terms, rules, day }, index) => ({
      key: `meal:${ids[index]}`,
      amountCents: terms.price?.priceCents ?? 0,
      walletId: ownWallets.get(rules.personId),
      personId: rules.personId,
      memo: { label: `Repas, ${rules.name}, le ${formatDate(day)}`, on: day },
    })),
    to: await schemeAccount(tx, "meals"),
    kind: "meal",
    at: sold.at,
    ...(from && { from }),
  });
  const rows = meals.map(({ rules, terms, day, registrationId, allergensConfirmed }, index) => ({
    id: ids[index],
    request_id: request.id,
    canteen_id: rules.canteenId,
    registration_id: registrationId,
    person_id: rules.personId,
    ordered_by: sold.buyerId,
    on_day: day,
    price_cents: terms.price?.priceCents ?? 0,
    price_reason: terms.price?.reason ?? "",
    cancel_until: terms.cancelUntil?.toISOString() ?? null,
    late_cancel_percent: rules.lateCancelPercent,
    absence_percent: rules.absencePercent,
    wallet_id: from ? null : (ownWallets.get(rules.personId) ?? null),
    hold_ids: holds[index],
    confirmed_by: allergensConfirmed && terms.warning ? sold.buyerId : null,
  }));
  await sql`
    insert into meal_order (id, request_id, canteen_id, registration_id, person_id, ordered_by, on_day,
      state, price_cents, price_reason, cancel_until, late_cancel_percent, absence_percent, wallet_id,
      hold_ids, ordered_at, allergens_confirmed_by)
    select id, request_id, canteen_id, registration_id, person_id, ordered_by, on_day, 'reserved',
      price_cents, price_reason, cancel_until, late_cancel_percent, absence_percent,
      coalesce(wallet_id, first_hold.of_wallet, ${sold.walletId}), hold_ids, ${sold.at}, confirmed_by
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (id uuid, request_id uuid,
      canteen_id uuid, registration_id uuid, person_id bigint, ordered_by bigint, on_day date,
      price_cents int, price_reason text, cancel_until timestamptz, late_cancel_percent smallint,
      absence_percent smallint, wallet_id bigint, hold_ids bigint[], confirmed_by bigint)
    left join lateral (select l.wallet_id as of_wallet from hold h
      join wallet_lot l on l.account_id = h.debit_account
      where ${from !== undefined} and h.id = t.hold_ids[1]) first_hold on true
    order by on_day, person_id`.execute(tx);
  const confirmed = meals.filter((meal) => meal.allergensConfirmed && meal.terms.warning);
  if (confirmed.length > 0) {
    // The trail says that the warning was seen, never which allergens.
    await auditAll(
      tx,
      confirmed.map(({ rules: { personId }, day }) => ({
        personId,
        action: "meal.allergens_confirmed",
        actor: personId === sold.buyerId ? "person" : `guardian:${sold.buyerId}`,
        address: null,
        details: { day },
        at: sold.at,
      })),
    );
  }
  return holds.flat();
}

/**
 * Takes a seat for each meal, the one offered to it if there is one; `meals_full` when a service has none
 * left. Comes last: in the minute before a deadline everybody waits for the row of one service, which a
 * transaction keeps until it commits.
 */
async function takeSeats(tx: Tx, meals: readonly EvaluatedMeal[], at: Date): Promise<void> {
  await lockServicesOfRegistrations(tx, meals);
  const offered = await useOffers(tx, meals, at);
  const services = [...Map.groupBy(meals, ({ rules, day }) => `${rules.canteenId} ${day}`)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, some]) => ({
      ...(some[0] as EvaluatedMeal),
      count: some.length - (offered.get(key) ?? 0),
    }));
  await sql`
    insert into canteen_day (canteen_id, on_day, seats, taken)
    select * from unnest(${services.map(({ rules }) => rules.canteenId)}::uuid[],
      ${services.map(({ day }) => day)}::date[], ${services.map(({ rules }) => rules.seats)}::int[],
      ${services.map(({ count }) => count)}::int[])
    on conflict (canteen_id, on_day) do update set taken = canteen_day.taken + excluded.taken`.execute(
    tx,
  );
}
