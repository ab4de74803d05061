// Orders: the cart of a person, one at a time, from its opening to its end.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { tickets as limits } from "#contract/limits.ts";
import type { CartState } from "#contract/ticket-cart.ts";
import { isReduced } from "#contract/ticket-states.ts";
import type { Tx } from "#server/db/db.ts";
import { freeSeats, type Seats } from "./seats.ts";
import { type Desk, tell } from "./tell.ts";
import type { Wanted } from "./wanted.ts";

export interface Order {
  id: string;
  personId: number;
  state: CartState;
  openedAt: Date;
  expiresAt: Date;
  payingSince: Date | null;
  topUpId: string | null;
  walletId: number | null;
}

export const orderColumns = sql`id, person_id as "personId", state, opened_at as "openedAt",
  expires_at as "expiresAt", paying_since as "payingSince", top_up_id as "topUpId",
  wallet_id as "walletId"`;

export const later = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

/** The open cart of a person, locked; undefined without one. */
export async function lockCart(tx: Tx, personId: number): Promise<Order | undefined> {
  const { rows } = await sql<Order>`select ${orderColumns} from ticket_order
    where person_id = ${personId} and state = 'cart' for update`.execute(tx);
  return rows[0];
}

/** An order of a person, locked; `not_found` when it is somebody else's. */
export async function lockOrder(tx: Tx, personId: number, id: string): Promise<Order> {
  const { rows } = await sql<Order>`select ${orderColumns} from ticket_order
    where id = ${id} and person_id = ${personId} for update`.execute(tx);
  if (!rows[0]) throw new Problem("not_found");
  return rows[0];
}

/** The cart to put something into: the open one, else a new one for 25 minutes. */
export async function openCart(tx: Tx, desk: Desk, personId: number, at: Date): Promise<Order> {
  for (;;) {
    await sql`insert into ticket_order (person_id, opened_at, expires_at)
      values (${personId}, ${at}, ${later(at, limits.cartSeconds)})
      on conflict (person_id) where state = 'cart' do nothing`.execute(tx);
    const cart = await lockCart(tx, personId);
    if (cart && cart.expiresAt > at) return await changeable(tx, cart, at);
    if (cart) await expireOrder(tx, desk, cart, at);
  }
}

/**
 * An order that a payment page was opened for does not change any more: what is added goes to a new
 * one with the same seats, and money that comes for the old one stays in the wallet. Refuses with
 * `cart_paying` while the bank has it.
 */
export async function changeable(tx: Tx, cart: Order, at: Date): Promise<Order> {
  if (!cart.payingSince) return cart;
  if (await isAtBank(tx, cart)) throw new Problem("cart_paying");
  await sql`update ticket_order set state = 'dropped', ended_at = ${at}
    where id = ${cart.id}`.execute(tx);
  const { rows } = await sql<Order>`
    insert into ticket_order (person_id, opened_at, expires_at)
    values (${cart.personId}, ${cart.openedAt}, ${cart.expiresAt})
    returning ${orderColumns}`.execute(tx);
  const next = rows[0] as Order;
  await sql`update ticket set order_id = ${next.id}
    where order_id = ${cart.id} and state = 'held'`.execute(tx);
  return next;
}

/** The bank has the payment of this order and has not answered. */
export async function isAtBank(tx: Tx, { topUpId }: Order): Promise<boolean> {
  if (topUpId === null) return false;
  const { rows } = await sql<{ state: string }>`
    select state from top_up where id = ${topUpId}`.execute(tx);
  return rows[0]?.state === "authorized";
}

/** Ends a cart whose time is over: its seats go back, its person is told. */
export async function expireOrder(tx: Tx, desk: Desk, order: Order, at: Date): Promise<void> {
  const freed = await endHeld(tx, order, "expired", at);
  if (freed.length === 0) return;
  await freeSeats(tx, desk, freed, at);
  await tell(tx, desk, [order.personId], {
    title: "Vos places ne sont plus réservées",
    body: "Les 25 minutes de votre panier sont passées. Rien n'a été débité. Vous pouvez réessayer.",
    at,
  });
}

/** Gives up a cart: as if it had ended, in silence. */
export async function dropOrder(tx: Tx, desk: Desk, order: Order, at: Date): Promise<void> {
  await freeSeats(tx, desk, await endHeld(tx, order, "dropped", at), at);
}

async function endHeld(
  tx: Tx,
  order: Order,
  state: "expired" | "dropped",
  at: Date,
): Promise<Seats[]> {
  await sql`update ticket_order set state = ${state}, ended_at = ${at}
    where id = ${order.id}`.execute(tx);
  const { rows } = await sql<Seats>`
    with ended as (update ticket set state = 'expired', ended_at = ${at}
      where order_id = ${order.id} and state = 'held' returning session_id, category_id)
    select session_id as "sessionId", category_id as "categoryId", count(*)::int as count
    from ended group by 1, 2`.execute(tx);
  return rows;
}

/** Writes held tickets into a cart, within what a cart and a person may have; takes no seat. */
export async function addHeld(
  tx: Tx,
  order: Order,
  wanted: Wanted,
  { ownerId, count }: { ownerId: number; count: number },
): Promise<void> {
  await refuseMore(tx, order, wanted, count);
  const reduced = isReduced(wanted);
  if (reduced && count > 1) throw new Problem("tickets_one_each");
  await sql`
    insert into ticket (order_id, session_id, category_id, owner_id, price_cents, state, reduced,
      policy)
    select ${order.id}, ${wanted.sessionId}, ${wanted.categoryId}, ${ownerId},
      ${wanted.priceCents}, 'held', ${reduced}, ${JSON.stringify(wanted.policy)}::jsonb
    from generate_series(1, ${count}::int)`.execute(tx);
}

async function refuseMore(tx: Tx, order: Order, wanted: Wanted, count: number): Promise<void> {
  const { inCart } = await countOf(
    tx,
    sql`select count(*)::int as "inCart" from ticket
      where order_id = ${order.id} and state = 'held'`,
  );
  if ((inCart ?? 0) + count > limits.cartSeats) {
    throw new Problem("cart_full", { most: limits.cartSeats });
  }
  const mine = await ticketsOfEvent(tx, order.personId, wanted.offerId);
  if (mine + count > wanted.mostEach) throw new Problem("tickets_most", { most: wanted.mostEach });
}

async function countOf(tx: Tx, query: ReturnType<typeof sql>): Promise<Record<string, number>> {
  const { rows } = await query.execute(tx);
  return (rows[0] ?? {}) as Record<string, number>;
}

/** Tickets of an event that a person took, cart included, whoever holds them now. */
export async function ticketsOfEvent(tx: Tx, personId: number, offerId: string): Promise<number> {
  const { mine } = await countOf(
    tx,
    sql`select count(*)::int as mine from ticket_order o join ticket t on t.order_id = o.id
      join ticket_session s on s.id = t.session_id
      where o.person_id = ${personId} and s.offer_id = ${offerId} and t.replaces is null
        and t.state in ('held', 'issued', 'used', 'transferred')`,
  );
  return mine ?? 0;
}
