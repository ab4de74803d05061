// Paying a cart: from a wallet at once, or by money that the provider brings, early or late.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { plural } from "#contract/french.ts";
import { tickets as limits } from "#contract/limits.ts";
import type { tickets } from "#contract/tickets.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { audit } from "#server/identity/identity.ts";
import { type OrderPayment, startOrderPayment } from "#server/payments/payments.ts";
import { schemeAccount, spend, walletOf } from "#server/wallet/wallet.ts";
import type { Act } from "./cart.ts";
import { orderSeen } from "./cart-seen.ts";
import {
  addHeld,
  isAtBank,
  later,
  lockOrder,
  openCart,
  type Order,
  orderColumns,
} from "./orders.ts";
import { takeSeats, type Seats } from "./seats.ts";
import { type Desk, page, tell } from "./tell.ts";
import { wantedOf } from "./wanted.ts";

interface Wish {
  order: string;
  objectID: string;
  totalCents: number;
}

/** The key under which an order is paid, once for ever. */
export const paidUnder = (orderId: string): string => `tickets:${orderId}`;

/**
 * Pays a cart from a wallet of one's own or of one's child; its tickets are issued. On an order that
 * is paid already it answers what was bought: two tabs or a repeated call pay once. Refuses
 * `cart_over`, `cart_changed`, `cart_paying` and what `spend` refuses.
 */
export async function payFromWallet(act: Act<Wish>): Promise<Output<typeof tickets.pay>> {
  const { deps, caller, input } = act;
  const wallet = await walletOf(deps, caller.personId, input.objectID);
  await inTx(deps.db, async (tx) => {
    const order = await lockOrder(tx, caller.personId, input.order);
    if (order.state === "paid") return;
    const at = deps.now();
    await refuseStale(tx, order, input.totalCents, at);
    if (await isAtBank(tx, order)) throw new Problem("cart_paying");
    await settle(tx, deps, order, { walletId: wallet.id, at });
    await audit(tx, {
      personId: caller.personId,
      action: "ticket.buy",
      actor: "person",
      address: act.origin.address,
      details: { amountCents: input.totalCents },
      at,
    });
  });
  const cart = await orderSeen(deps, caller.personId, input.order);
  if (!cart) throw new Problem("not_found");
  return { cart, now: deps.now().toISOString() };
}

/** Refuses to pay what is no longer held, or is not what the person saw. */
async function refuseStale(tx: Tx, order: Order, totalCents: number, at: Date): Promise<void> {
  if (order.state !== "cart" || order.expiresAt <= at) throw new Problem("cart_over");
  const { count, cents } = await heldOf(tx, order.id);
  if (count === 0) throw new Problem("cart_over");
  if (cents !== totalCents) throw new Problem("cart_changed");
}

async function heldOf(tx: Tx, orderId: string): Promise<{ count: number; cents: number }> {
  const { rows } = await sql<{ count: number; cents: number }>`
    select count(*)::int as count, coalesce(sum(price_cents), 0)::bigint as cents
    from ticket where order_id = ${orderId} and state = 'held'`.execute(tx);
  return rows[0] as { count: number; cents: number };
}

/** Spends the price of what an order holds and issues its tickets. */
async function settle(
  tx: Tx,
  deps: Pick<Desk, "send" | "config">,
  order: Order,
  { walletId, from, at }: { walletId: number; from?: "purchased"; at: Date },
): Promise<void> {
  const { cents } = await heldOf(tx, order.id);
  if (cents > 0) {
    await spend(tx, {
      walletId,
      amountCents: cents,
      to: await schemeAccount(tx, "tickets"),
      kind: "purchase",
      key: paidUnder(order.id),
      ...(from ? { from } : {}),
      memo: { label: await labelOf(tx, order.id) },
      at,
    });
  }
  const { rows } = await sql<{ ownerId: number }>`
    with issued as (update ticket set state = 'issued', issued_at = ${at}
      where order_id = ${order.id} and state = 'held' returning owner_id)
    select distinct owner_id as "ownerId" from issued order by 1`.execute(tx);
  await sql`update ticket_order set state = 'paid', paid_at = ${at}, ended_at = ${at},
    wallet_id = ${walletId} where id = ${order.id}`.execute(tx);
  await tell(tx, deps, [order.personId, ...rows.map((row) => row.ownerId)], {
    title: "Vos billets sont prêts",
    body: `${await labelOf(tx, order.id)}. Ils sont dans « Mes billets », aussi sans réseau.`,
    at,
  });
}

/** « 2 billets, Concert du port »: what the movement of the wallet says. */
export async function labelOf(tx: Tx, orderId: string): Promise<string> {
  const { rows } = await sql<{ count: number; titles: string[] }>`
    select count(*)::int as count, array_agg(distinct o.title order by o.title) as titles
    from ticket t join ticket_session s on s.id = t.session_id
    join ticket_offer o on o.id = s.offer_id
    where t.order_id = ${orderId} and t.state in ('held', 'issued')`.execute(tx);
  const { count, titles } = rows[0] as { count: number; titles: string[] | null };
  const [first = "", ...others] = titles ?? [];
  const more = others.length > 0 ? ` et ${plural(others.length, "autre")}` : "";
  return `${plural(count, "billet")}, ${first}${more}`;
}

/**
 * Money came from the provider for an order. While its seats are held, or free again, its tickets are
 * issued from that money (`settled`). Else it stays in the wallet (`kept`): the order was given up,
 * paid otherwise, changed, or its seats are gone (`tickets_sold_out`).
 */
export async function orderPaid(
  tx: Tx,
  deps: Pick<Desk, "send" | "config">,
  paid: Pick<OrderPayment, "orderId" | "walletId" | "amountCents" | "at">,
): Promise<"settled" | "kept"> {
  const { rows } = await sql<Order>`select ${orderColumns} from ticket_order
    where id = ${paid.orderId} for update`.execute(tx);
  const order = rows[0];
  if (!order || order.state === "paid" || order.state === "dropped") return "kept";
  if (order.state === "expired") await holdAgain(tx, order, paid.at);
  if ((await heldOf(tx, order.id)).cents !== paid.amountCents) return "kept";
  await settle(tx, deps, order, { walletId: paid.walletId, from: "purchased", at: paid.at });
  return "settled";
}

/** The seats of an order that ended, taken anew for a payment that came late. */
async function holdAgain(tx: Tx, order: Order, at: Date): Promise<void> {
  const { rows } = await sql<Seats & { begun: boolean }>`
    select t.session_id as "sessionId", t.category_id as "categoryId", count(*)::int as count,
      bool_or(s.starts_at <= ${at} or o.cancelled_at is not null) as begun
    from ticket t join ticket_session s on s.id = t.session_id
    join ticket_offer o on o.id = s.offer_id
    where t.order_id = ${order.id} and t.state = 'expired' group by 1, 2`.execute(tx);
  if (rows.some(({ begun }) => begun)) throw new Problem("tickets_closed");
  await takeSeats(tx, rows);
  await sql`insert into ticket (order_id, session_id, category_id, owner_id, price_cents, state,
      reduced, policy)
    select order_id, session_id, category_id, owner_id, price_cents, 'held', reduced, policy
    from ticket where order_id = ${order.id} and state = 'expired'`.execute(tx);
}

/** A payment at the provider's page ended without money: the cart is free to be paid otherwise. */
export async function orderPaymentEnded(
  tx: Tx,
  _deps: unknown,
  { orderId, topUpId }: Pick<OrderPayment, "orderId" | "topUpId">,
): Promise<void> {
  await sql`update ticket_order set paying_since = null
    where id = ${orderId} and state = 'cart' and top_up_id = ${topUpId}`.execute(tx);
}

/**
 * Starts the payment of a cart at the provider's page. What it holds is kept for 15 minutes more, never
 * beyond an hour in all; from now on it does not change. Refuses `cart_over`, `cart_changed`,
 * `cart_paying` and `orderPaymentProblems`.
 */
export async function payOnline(
  act: Act<Wish> & { key: string | null; siteOrigin: string },
): Promise<Output<typeof tickets.payOnline>> {
  const { deps, caller, input, key, siteOrigin } = act;
  const wallet = await walletOf(deps, caller.personId, input.objectID);
  const label = await inTx(deps.db, (tx) => beginPayment(tx, act));
  const started = await startOrderPayment(deps, {
    caller,
    walletId: wallet.id,
    amountCents: input.totalCents,
    order: { kind: "tickets", id: input.order, label },
    returnPath: `${page}?commande=${input.order}`,
    key,
    siteOrigin,
  });
  await sql`update ticket_order set top_up_id = ${started.id}
    where id = ${input.order} and state = 'cart'`.execute(deps.db);
  return started;
}

async function beginPayment(tx: Tx, { deps, caller, input }: Act<Wish>): Promise<string> {
  const order = await lockOrder(tx, caller.personId, input.order);
  const at = deps.now();
  await refuseStale(tx, order, input.totalCents, at);
  if (await isAtBank(tx, order)) throw new Problem("cart_paying");
  await sql`update ticket_order set paying_since = ${at}, expires_at = greatest(expires_at, least(
      ${later(at, limits.payingSeconds)}::timestamptz,
      ${later(order.openedAt, limits.longestCartSeconds)}::timestamptz))
    where id = ${order.id}`.execute(tx);
  return await labelOf(tx, order.id);
}

/**
 * Seats bought in one go inside the caller's transaction, from a wallet, at an instant of the past: how
 * the demo scheme lives. Refuses as a cart and a payment do.
 */
export async function buyTickets(
  tx: Tx,
  desk: Desk,
  bought: {
    personId: number;
    ownerId: number;
    walletId: number;
    session: string;
    category: string;
    count: number;
    at: Date;
  },
): Promise<void> {
  const { personId, ownerId, walletId, count, at } = bought;
  const wanted = await wantedOf(tx, bought, at);
  const order = await openCart(tx, desk, personId, at);
  await addHeld(tx, order, wanted, { ownerId, count });
  await takeSeats(tx, [{ sessionId: wanted.sessionId, categoryId: wanted.categoryId, count }]);
  await settle(tx, desk, order, { walletId, at });
}
