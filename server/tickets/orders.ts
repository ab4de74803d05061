// Orders and their tickets under lock. A person has one open order, the cart; it is paid, expires or is
// dropped.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { tickets as limits } from "#contract/tickets/limits.ts";
import type { CartState } from "#contract/tickets/cart.ts";
import { isReduced, type RefundPolicy, type TicketState } from "#contract/tickets/states.ts";
import { abandonOrder } from "#server/checkout/checkout.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { releaseSeats, type Seats } from "./seats.ts";
import { type TicketDeps, announceTicket } from "./announcements.ts";
import type { SaleTerms } from "./sale-terms.ts";
import { mayActFor } from "#server/family/family.ts";
import { isAtBank } from "#server/payments/payments.ts";

export interface Order {
  id: string;
  personId: number;
  state: CartState;
  openedAt: Date;
  expiresAt: Date;
  /**
   * Start of a provider payment that is under way. Stored here although payments know it: each added seat
   * checks it under the lock of this row, without reading another table.
   */
  payingSince: Date | null;
  walletId: number | null;
}

export const orderColumns = sql`id, person_id, state, opened_at,
  expires_at, paying_since, wallet_id`;

export const addSeconds = (at: Date, seconds: number): Date =>
  new Date(at.getTime() + seconds * 1000);

/** The open cart of a person, locked; null without one. */
export async function lockCart(tx: Tx, personId: number): Promise<Order | null> {
  return await query(tx).maybeOne(sql<Order>`select ${orderColumns} from ticket_order
    where person_id = ${personId} and state = 'cart' for update`);
}

/** An order of a person, locked; `not_found` when it is somebody else's. */
export async function lockOrder(tx: Tx, personId: number, id: string): Promise<Order> {
  const found = await query(tx).maybeOne(sql<Order>`select ${orderColumns} from ticket_order
    where id = ${id} and person_id = ${personId} for update`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** Any order, locked: for payments. */
export async function lockAnyOrder(tx: Tx, id: string): Promise<Order> {
  const found = await query(tx).maybeOne(sql<Order>`select ${orderColumns} from ticket_order
    where id = ${id} for update`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** The cart to add to: the open one, else a new one for 25 minutes. */
export async function openCart(
  tx: Tx,
  deps: TicketDeps,
  personId: number,
  at: Date,
): Promise<Order> {
  for (;;) {
    await sql`insert into ticket_order (person_id, opened_at, expires_at)
      values (${personId}, ${at}, ${addSeconds(at, limits.cartSeconds)})
      on conflict (person_id) where state = 'cart' do nothing`.execute(tx);
    const cart = await lockCart(tx, personId);
    if (cart && cart.expiresAt > at) return await changeableCart(tx, cart, at);
    if (cart) await expireOrder(tx, deps, cart, at);
  }
}

/**
 * The cart to change. An order whose payment page was opened stays as it is: its seats move to a new order,
 * and money that arrives for the old one stays in the wallet. Refuses `cart_paying` while the bank processes
 * the payment.
 */
export async function changeableCart(tx: Tx, cart: Order, at: Date): Promise<Order> {
  if (!cart.payingSince) return cart;
  if (await isExamined(tx, cart)) throw new Problem("cart_paying");
  await abandonOrder(tx, { kind: "tickets", id: cart.id });
  await sql`update ticket_order set state = 'dropped', ended_at = ${at}
    where id = ${cart.id}`.execute(tx);
  const next = await query(tx).one(sql<Order>`
    insert into ticket_order (person_id, opened_at, expires_at)
    values (${cart.personId}, ${cart.openedAt}, ${cart.expiresAt})
    returning ${orderColumns}`);
  await sql`update ticket set order_id = ${next.id}
    where order_id = ${cart.id} and state = 'held'`.execute(tx);
  return next;
}

/** Whether the bank is processing the payment of this order. */
export const isExamined = (tx: Tx, { id }: Order): Promise<boolean> =>
  isAtBank(tx, { kind: "tickets", id });

/** Expires a cart: its seats are released, its person gets a notice. */
export async function expireOrder(tx: Tx, deps: TicketDeps, order: Order, at: Date): Promise<void> {
  const freed = await endOrder(tx, order, "expired", at);
  if (freed.length === 0) return;
  await releaseSeats(tx, deps, freed, at);
  await announceTicket(tx, deps, [order.personId], {
    title: "Vos places ne sont plus réservées",
    body: "Les 25 minutes de votre panier sont passées. Rien n'a été débité. Vous pouvez réessayer.",
    path: linkTo(paths.tickets, {}, { order: order.id }),
    at,
  });
}

/** Drops a cart: its seats are released, without a notice. */
export async function dropOrder(tx: Tx, deps: TicketDeps, order: Order, at: Date): Promise<void> {
  await releaseSeats(tx, deps, await endOrder(tx, order, "dropped", at), at);
}

async function endOrder(
  tx: Tx,
  order: Order,
  state: "expired" | "dropped",
  at: Date,
): Promise<Seats[]> {
  await abandonOrder(tx, { kind: "tickets", id: order.id });
  await sql`update ticket_order set state = ${state}, ended_at = ${at}
    where id = ${order.id}`.execute(tx);
  const { rows } = await sql<Seats>`
    with ended as (update ticket set state = 'expired', ended_at = ${at}
      where order_id = ${order.id} and state = 'held' returning session_id, category_id)
    select session_id, category_id, count(*)::int as count
    from ended group by 1, 2`.execute(tx);
  return rows;
}

/**
 * Adds held tickets to a cart within its limits and the person's; takes no seat. Refuses `not_found` for a
 * person whom the cart's owner may not, or no longer, act for.
 */
export async function addHeldTickets(
  tx: Tx,
  order: Order,
  terms: SaleTerms,
  { ownerId, count }: { ownerId: number; count: number },
): Promise<void> {
  await requireWithinLimits(tx, order, terms, count);
  const reduced = isReduced(terms);
  if (reduced && count > 1) throw new Problem("tickets_one_each");
  const { rows } = await sql`
    insert into ticket (order_id, session_id, category_id, owner_id, price_cents, state, reduced,
      policy)
    select ${order.id}, ${terms.sessionId}, ${terms.categoryId}, p.id,
      ${terms.priceCents}, 'held', ${reduced}, ${JSON.stringify(terms.policy)}::jsonb
    from person p, generate_series(1, ${count}::int)
    where p.id = ${ownerId} and ${mayActFor(order.personId, sql.ref("p.id"))} returning id`.execute(
    tx,
  );
  if (rows.length === 0) throw new Problem("not_found");
}

async function requireWithinLimits(
  tx: Tx,
  order: Order,
  terms: SaleTerms,
  count: number,
): Promise<void> {
  const { inCart } = await countOf(
    tx,
    sql`select count(*)::int as in_cart from ticket
      where order_id = ${order.id} and state = 'held'`,
  );
  if ((inCart ?? 0) + count > limits.cartSeats) {
    throw new Problem("cart_full", { max: limits.cartSeats });
  }
  const mine = await ticketsOfEvent(tx, order.personId, terms.eventId);
  if (mine + count > terms.maxPerPerson)
    throw new Problem("tickets_max", { max: terms.maxPerPerson });
}

async function countOf(tx: Tx, statement: RawBuilder<unknown>): Promise<Record<string, number>> {
  return (await query(tx).one(statement)) as Record<string, number>;
}

/** Number of tickets of an event that a person has bought or has in the cart, transferred ones too. */
export async function ticketsOfEvent(tx: Tx, personId: number, eventId: string): Promise<number> {
  const { mine } = await countOf(
    tx,
    sql`select count(*)::int as mine from ticket_order o join ticket t on t.order_id = o.id
      join ticket_session s on s.id = t.session_id
      where o.person_id = ${personId} and s.event_id = ${eventId} and t.replaces is null
        and t.state in ('held', 'issued', 'used', 'transferred')`,
  );
  return mine ?? 0;
}

export interface LockedTicket {
  id: string;
  orderId: string;
  ownerId: number;
  buyerId: number;
  sessionId: string;
  categoryId: string;
  state: TicketState;
  priceCents: number;
  policy: RefundPolicy;
  received: boolean;
  title: string;
  startsAt: Date;
  walletId: number | null;
}

/**
 * A ticket of the caller or of their child, locked; `not_found` for any other, and for one that is still in a
 * cart. Its order is locked first, so that one call at a time refunds money of an order.
 */
export async function lockTicket(tx: Tx, me: number, id: string): Promise<LockedTicket> {
  const found = await lockTicketWhere(
    tx,
    sql`t.id = ${id} and ${mayActFor(me, sql.ref("t.owner_id"))}`,
  );
  if (!found) throw new Problem("not_found");
  return found;
}

/** Any ticket, locked with its order: for a cancelled event. */
export const lockAnyTicket = (tx: Tx, id: string): Promise<LockedTicket | null> =>
  lockTicketWhere(tx, sql`t.id = ${id}`);

async function lockTicketWhere(
  tx: Tx,
  condition: RawBuilder<unknown>,
): Promise<LockedTicket | null> {
  await sql`select from ticket_order where id = (select order_id from ticket t where ${condition})
    for update`.execute(tx);
  return await query(tx).maybeOne(sql<LockedTicket>`
    select t.id, t.order_id, t.owner_id, r.person_id as buyer_id,
      t.session_id, t.category_id, t.state,
      t.price_cents, t.policy, t.replaces is not null as received, o.title,
      s.starts_at, r.wallet_id
    from ticket t join ticket_order r on r.id = t.order_id
    join ticket_session s on s.id = t.session_id join ticket_event o on o.id = s.event_id
    where ${condition} and t.issued_at is not null for update of t`);
}
