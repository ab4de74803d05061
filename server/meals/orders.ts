// A family's meals: the list of orders, cancelling, the month as a PDF.
import { type RawBuilder, sql } from "kysely";
import type { MealOrder as MealOrderView } from "#contract/meals/orders.ts";
import { type Diet } from "#contract/kitchen/states.ts";
import { mealOrderCan, mealOrderStateNames } from "#contract/meals/states.ts";
import type { AllergenWarning } from "#contract/kitchen/dish-allergens.ts";
import { addMonths, instantOfParis, todayInParis } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney, formatMonth, plural } from "#contract/french.ts";
import { lists } from "#contract/limits.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import { requireSamePrice } from "#server/checkout/checkout.ts";
import { holderFor, mayActFor } from "#server/family/family.ts";
import type { AuditedCall, PersonCall } from "#server/http/caller.ts";
import { pdf } from "#server/http/document.ts";
import { paper } from "#server/http/paper.ts";
import { auditActs } from "#server/identity/identity.ts";
import { postHold, voidHolds } from "#server/ledger/ledger.ts";
import type { Deps } from "#server/process/deps.ts";
import {
  lockMealsWithSeats,
  mealKey,
  type MealOrder,
  mealMemo,
  pushMealChanges,
} from "./ordered-meals.ts";
import { warningsOf } from "./meal-warnings.ts";
import { freeSeats } from "./services.ts";

interface OrderRow extends Omit<
  MealOrderView,
  "cancelUntil" | "canCancel" | "cancelCostCents" | "servedAt" | "orderedAt" | "warning"
> {
  providerId: number;
  personId: number;
  diet: Diet;
  cancelUntil: Date | null;
  servedAt: Date | null;
  orderedAt: Date;
  servesFrom: string;
}

/**
 * The meals that a condition on `meal_order o` and `person p` finds, with their warnings at an instant; named
 * for `reader`, a person's id. At most `limit`.
 */
export async function ordersWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  {
    order,
    reader,
    at,
    limit,
  }: { order: RawBuilder<unknown>; reader: number; at: Date; limit: number },
): Promise<MealOrderView[]> {
  const { rows } = await sql<OrderRow>`
    select o.id, o.number, p.name, known.number as cardnumber, c.name as canteen,
      to_char(o.on_day, 'YYYY-MM-DD') as day, o.state, o.price_cents,
      o.price_reason, o.cancel_until,
      o.late_cancel_percent, o.charged_cents,
      o.end_reason, o.served_at, o.ordered_at,
      case when by.id <> ${reader} then by.name end as ordered_by,
      array(select case when payer.id <> ${reader} then payer.name end from person payer
        where payer.id in (select w.person_id from hold h
          join wallet_lot l on l.account_id = h.debit_account join wallet w on w.id = l.wallet_id
          where h.id = any (o.hold_ids))
        order by payer.id = ${reader}, payer.id) as paid_by,
      to_char(c.serves_from, 'HH24:MI') as serves_from, c.provider_id,
      o.person_id, r.diet, o.warned_since is not null as to_review
    from meal_order o join canteen c on c.id = o.canteen_id join person p on p.id = o.person_id
    join canteen_registration r on r.id = o.registration_id
    join person by on by.id = o.ordered_by
    cross join lateral current_card(p.id) known
    where ${condition} order by ${order} limit ${limit}`.execute(db);
  const coming = rows.filter((row) => mealOrderCan.hold(row) && row.day >= todayInParis(at));
  const days = coming.map(({ day }) => day).toSorted();
  const [from, to] = [days[0], days.at(-1)];
  const warnings = from && to ? await warningsOf(db, coming, { from, to }) : new Map();
  return rows.map((row) => toOrderView(row, warnings.get(`${row.id} ${row.day}`) ?? null, at));
}

function toOrderView(
  { servesFrom, providerId: _provider, personId: _person, diet: _diet, ...row }: OrderRow,
  warning: AllergenWarning | null,
  at: Date,
): MealOrderView {
  const canCancel = mealOrderCan.cancel(row) && at < instantOfParis(row.day, servesFrom);
  return {
    ...row,
    cancelUntil: row.cancelUntil?.toISOString() ?? null,
    canCancel,
    cancelCostCents: canCancel ? cancelCost(row, at) : 0,
    servedAt: row.servedAt?.toISOString() ?? null,
    orderedAt: row.orderedAt.toISOString(),
    warning,
    toReview: row.toReview && canCancel,
  };
}

/** Cost of a cancellation at an instant, in cents: nothing until its deadline, then the percentage. */
export const cancelCost = (
  order: { priceCents: number; cancelUntil: Date | null; lateCancelPercent: number },
  at: Date,
): number =>
  order.cancelUntil !== null && at <= order.cancelUntil
    ? 0
    : Math.round((order.priceCents * order.lateCancelPercent) / 100);

interface OrdersQuery {
  when: "coming" | "past";
  cardnumber?: number | undefined;
  after?: number | undefined;
}

/** Meals that the caller or their children eat, those to come first day first, the past last day first. */
export async function readOrders({ deps, caller, input }: PersonCall<OrdersQuery>) {
  const { db } = deps;
  const at = deps.now();
  const whose =
    input.cardnumber === undefined
      ? mayActFor(caller.personId, sql.ref("o.person_id"))
      : sql`o.person_id = ${(await holderFor(db, caller.personId, input.cardnumber)).id}`;
  const today = todayInParis(at);
  const coming = input.when === "coming";
  const days = coming ? sql`o.on_day >= ${today}` : sql`o.on_day < ${today}`;
  const beyond = coming
    ? sql`(o.on_day, p.name, o.number) > (last.on_day, eater.name, last.number)`
    : sql`(o.on_day < last.on_day or o.on_day = last.on_day
        and (p.name, o.number) > (eater.name, last.number))`;
  const after = input.after ?? null;
  const pageFilter = sql`(${after}::bigint is null or exists (
    select from meal_order last join person eater on eater.id = last.person_id
    where last.number = ${after}::bigint and ${beyond}))`;
  const limit = lists.defaultLimit;
  const found = await ordersWhere(db, sql`${whose} and ${days} and ${pageFilter}`, {
    order: coming ? sql`o.on_day, p.name, o.number` : sql`o.on_day desc, p.name, o.number`,
    reader: caller.personId,
    at,
    limit: limit + 1,
  });
  return { ...pageOf(found, limit, ({ number }) => number), now: at.toISOString() };
}

/** Meals of the caller or their children, with the present cost of cancelling each. */
export async function previewCancel({ deps, caller, input }: PersonCall<{ orders: string[] }>) {
  const mine = mayActFor(caller.personId, sql.ref("o.person_id"));
  const items = await ordersWhere(deps.db, sql`o.id = any (${input.orders}::uuid[]) and ${mine}`, {
    order: sql`o.on_day, o.number`,
    reader: caller.personId,
    at: deps.now(),
    limit: 100,
  });
  if (items.length !== new Set(input.orders).size) throw new Problem("not_found");
  return { items };
}

/**
 * Cancels meals of oneself or one's children at the cost that was seen, all or none: the cost of a late
 * cancellation is spent, the rest is released. Refuses `meal_state`, and `price_changed` when the deadline
 * passed meanwhile.
 */
export async function cancelOrders({
  deps,
  caller,
  input,
  origin,
}: AuditedCall<{ orders: string[]; costCents: number }>) {
  const at = deps.now();
  return await inTx(deps.db, async (tx) => {
    const mine = mayActFor(caller.personId, sql.ref("o.person_id"));
    const orders = await lockMealsWithSeats(tx, input.orders, mine);
    await requireReached(tx, caller.personId, input.orders);
    const starts = await serviceStarts(tx, input.orders);
    for (const order of orders) {
      const start = starts.get(order.id);
      if (!mealOrderCan.cancel(order) || !start || at >= start) throw new Problem("meal_state");
    }
    const meals = orders.map((order) => ({ order, costCents: cancelCost(order, at) }));
    const costCents = meals.reduce((sum, meal) => sum + meal.costCents, 0);
    requireSamePrice(input.costCents, costCents);
    await cancelMeals(tx, deps, meals, { reason: null, at });
    await auditActs(
      tx,
      { caller, origin },
      "meal.cancel",
      meals.map(({ order: { personId, number }, costCents: cents }) => ({
        personId,
        details: { number, costCents: cents },
        at,
      })),
    );
    const totalCents = orders.reduce((sum, { priceCents }) => sum + priceCents, 0);
    return { releasedCents: totalCents - costCents, costCents };
  });
}

/** Keeps meals of oneself or one's children despite the warning of their menu. Refuses `meal_state`. */
export async function keepOrders({
  deps,
  caller,
  input,
  origin,
}: AuditedCall<{ orders: string[] }>) {
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    const { rows } = await sql<{ personId: number; day: string }>`
      update meal_order o set warned_since = null, allergens_confirmed_by = ${caller.personId}
      where o.id = any (${[...input.orders]}::uuid[]) and o.state in ('reserved', 'validated')
        and ${mayActFor(caller.personId, sql.ref("o.person_id"))}
      returning o.person_id, to_char(o.on_day, 'YYYY-MM-DD') as day`.execute(tx);
    await requireReached(tx, caller.personId, input.orders);
    if (rows.length !== new Set(input.orders).size) throw new Problem("meal_state");
    // The trail says that the warning was seen, never which allergens.
    await auditActs(
      tx,
      { caller, origin },
      "meal.allergens_confirmed",
      rows.map(({ personId, day }) => ({ personId, details: { day }, at })),
    );
  });
  return { message: "Le repas est gardé." };
}

/** Refuses `not_found` unless every order is the caller's or a child's; called once they are locked. */
async function requireReached(tx: Tx, personId: number, ids: readonly string[]): Promise<void> {
  const { count } = await query(tx).one(sql<{ count: number }>`
    select count(*)::int as count from meal_order o
    where o.id = any (${[...ids]}::uuid[]) and ${mayActFor(personId, sql.ref("o.person_id"))}`);
  if (count !== new Set(ids).size) throw new Problem("not_found");
}

async function serviceStarts(tx: Tx, ids: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ id: string; day: string; servesFrom: string }>`
    select o.id, to_char(o.on_day, 'YYYY-MM-DD') as day,
      to_char(c.serves_from, 'HH24:MI') as serves_from
    from meal_order o join canteen c on c.id = o.canteen_id
    where o.id = any (${[...ids]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, day, servesFrom }) => [id, instantOfParis(day, servesFrom)]));
}

/** A meal that ends, and the part of its price that is spent. */
export interface MealCost {
  order: MealOrder;
  costCents: number;
}

/**
 * Cancels meals: of the hold of each, its cost is spent and the rest is released, and so are the seats. The
 * caller has checked that they may be.
 */
export async function cancelMeals(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  meals: readonly MealCost[],
  { reason, at }: { reason: string | null; at: Date },
): Promise<void> {
  if (meals.length === 0) return;
  const orders = meals.map(({ order }) => order);
  await settleHolds(tx, meals, { act: "cancelled", at });
  await sql`update meal_order o set state = 'cancelled', ended_at = ${at}, end_reason = ${reason},
      charged_cents = ended.cost
    from unnest(${orders.map(({ id }) => id)}::uuid[],
      ${meals.map(({ costCents }) => costCents)}::int[]) as ended (id, cost)
    where o.id = ended.id`.execute(tx);
  await freeSeats(tx, deps, orders, at);
  await pushMealChanges(tx, orders);
}

/** Spends the cost of each meal from its hold, in the order in which lots pay, and releases the rest. */
export async function settleHolds(
  tx: Tx,
  meals: readonly MealCost[],
  { act, at }: { act: "cancelled" | "absent"; at: Date },
): Promise<void> {
  const { rows } = await sql<{ id: number; cents: number }>`
    select id, amount as cents from hold
    where id = any (${meals.flatMap(({ order }) => order.holdIds)}::bigint[])`.execute(tx);
  const held = new Map(rows.map(({ id, cents }) => [id, cents]));
  const unspent: number[] = [];
  for (const { order, costCents } of meals) {
    let missing = costCents;
    for (const id of order.holdIds.toSorted((a, b) => a - b)) {
      const amountCents = Math.min(missing, held.get(id) ?? 0);
      missing -= amountCents;
      if (amountCents === 0) unspent.push(id);
      else {
        const key = mealKey(act, order.id, id);
        await postHold(tx, id, { key, amountCents, memo: mealMemo(order), at });
      }
    }
  }
  await voidHolds(tx, unspent, at);
}

/** The meals of a card in a month (YYYY-MM) as a tagged PDF. */
export async function printOrders({
  deps,
  caller,
  input,
}: PersonCall<{ cardnumber: number; month: string }>) {
  const at = deps.now();
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  const from = `${input.month}-01`;
  const items = await ordersWhere(
    deps.db,
    sql`o.person_id = ${holder.id} and o.on_day >= ${from}::date
      and o.on_day < ${addMonths(from, 1)}::date`,
    { order: sql`o.on_day, o.number`, reader: caller.personId, at, limit: 100 },
  );
  const month = formatMonth(from);
  const charged = items.reduce((sum, { chargedCents }) => sum + (chargedCents ?? 0), 0);
  const held = items.filter(mealOrderCan.hold).reduce((sum, one) => sum + one.priceCents, 0);
  const head = { title: `Repas, ${month}`, cardnumber: holder.cardnumber, madeAt: at };
  const file = await paper(head, async (page) => {
    page.facts([
      ["Nom", holder.name],
      ["Repas", plural(items.length, "repas", "repas")],
      ["Dépensé", formatMoney(charged)],
      ["Mis de côté", formatMoney(held)],
    ]);
    if (items.length === 0) {
      page.paragraph("Aucun repas ce mois-là.");
      return;
    }
    await page.table(
      [
        { title: "Jour", width: 70 },
        { title: "Cantine", width: 150 },
        { title: "Tarif", width: 123 },
        { title: "État", width: 70 },
        { title: "Prix", width: 70, right: true },
      ],
      items.map((one) => [
        formatDate(one.day),
        one.canteen,
        one.priceReason,
        mealOrderStateNames[one.state],
        formatMoney(one.chargedCents ?? one.priceCents),
      ]),
    );
  });
  return pdf(file, `repas-${input.month}.pdf`);
}
