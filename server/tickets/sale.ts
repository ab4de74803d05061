// Carts as a sale of the checkout: quotes the held seats, issues the tickets once paid, and takes the seats
// again when the money arrives after the cart expired.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { tickets as limits } from "#contract/tickets/limits.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { type Quote, type Sale } from "#server/checkout/checkout.ts";
import { addSeconds, lockAnyOrder, lockOrder, type Order } from "./orders.ts";
import { type Seats, takeSeats } from "./seats.ts";
import { announceTicket } from "./announcements.ts";

export const ticketSale: Sale<Order> = {
  kind: "tickets",
  account: "tickets",
  lock: (tx, id, caller) =>
    caller === null ? lockAnyOrder(tx, id) : lockOrder(tx, caller.personId, id),
  isPaid: ({ state }) => state === "paid",
  quote: quoteCart,
  // The order no longer changes; it is held for 15 minutes more, at most one hour in all.
  hold: async (tx, order, _quote, { at }) => {
    await sql`update ticket_order set paying_since = ${at},
      expires_at = greatest(expires_at, least(
        ${addSeconds(at, limits.payingSeconds)}::timestamptz,
        ${addSeconds(order.openedAt, limits.longestCartSeconds)}::timestamptz))
      where id = ${order.id}`.execute(tx);
  },
  returnPath: ({ id }) => linkTo(paths.tickets, {}, { order: id }),
  fulfil: async (tx, deps, order, { quote, sold: { walletId, at }, receipt }) => {
    const owners = await issue(tx, order.id, { walletId, at });
    const reached = await readersOf(tx, order.id);
    await announceTicket(tx, deps, owners, {
      title: "Vos billets sont prêts",
      body: ({ id }) => {
        const label = id === order.personId ? quote.label : labelOf(reached.get(id) ?? []);
        return `${label}. Ils sont dans «\u00a0Mes billets\u00a0», aussi sans réseau.`;
      },
      payer: {
        id: order.personId,
        receipt,
        attachments: [
          {
            filename: "billets.pdf",
            contentType: "application/pdf",
            source: "tickets_pdf",
            id: order.id,
          },
          {
            filename: "billets.ics",
            contentType: "text/calendar; charset=utf-8; method=PUBLISH",
            source: "tickets_calendar",
            id: order.id,
          },
        ],
      },
      at,
    });
  },
  reopen: async (tx, orderId) => {
    await sql`update ticket_order set paying_since = null
      where id = ${orderId} and state = 'cart'`.execute(tx);
  },
};

/**
 * The price of a cart's seats; refuses `cart_over` once they are no longer held, `tickets_closed` while the
 * partner of one is frozen.
 */
export async function quoteCart(
  tx: Tx,
  order: Order,
  { at, late }: { at: Date; late: boolean },
): Promise<Quote> {
  if (order.state === "expired" && late) await holdAgain(tx, order, at);
  else if (order.state !== "cart" || (order.expiresAt <= at && !late)) {
    throw new Problem("cart_over");
  }
  const { count, cents, titles, frozen } = await query(tx).one(sql<{
    count: number;
    cents: number;
    titles: string[] | null;
    frozen: boolean | null;
  }>`
    select count(*)::int as count, bool_or(company_frozen(o.company_id)) as frozen, coalesce(sum(t.price_cents), 0)::bigint as cents,
      array_agg(distinct o.title order by o.title) as titles
    from ticket t join ticket_session s on s.id = t.session_id
    join ticket_event o on o.id = s.event_id
    where t.order_id = ${order.id} and t.state = 'held'`);
  if (count === 0) throw new Problem("cart_over");
  if (frozen) throw new Problem("tickets_closed");
  return { totalCents: cents, label: labelFor(count, titles ?? []), groupId: null };
}

/** « 3 billets, Festival et 1 autre ». */
function labelFor(count: number, titles: readonly string[]): string {
  const [first = "", ...others] = titles;
  const more = others.length > 0 ? ` et ${plural(others.length, "autre")}` : "";
  return `${plural(count, "billet")}, ${first}${more}`;
}

interface SeatsOfOwner {
  title: string;
  count: number;
}

const labelOf = (seats: readonly SeatsOfOwner[]): string =>
  labelFor(
    seats.reduce((sum, { count }) => sum + count, 0),
    [...new Set(seats.map(({ title }) => title))].toSorted(),
  );

/** The part of an order that each owner and each guardian reads: their children's seats, no others. */
async function readersOf(tx: Tx, orderId: string): Promise<Map<number, SeatsOfOwner[]>> {
  const { rows } = await sql<SeatsOfOwner & { readerId: number }>`
    select reader.id as reader_id, o.title, count(*)::int as count
    from ticket t join ticket_session s on s.id = t.session_id
    join ticket_event o on o.id = s.event_id
    cross join lateral (select t.owner_id as id union select guardian_id from current_ties()
      where member_id = t.owner_id and role = 'child') reader
    where t.order_id = ${orderId} and t.state = 'issued' group by 1, 2`.execute(tx);
  return Map.groupBy(rows, ({ readerId }) => readerId);
}

/** Issues the held tickets of an order; answers their owners. */
async function issue(
  tx: Tx,
  orderId: string,
  { walletId, at }: { walletId: number; at: Date },
): Promise<number[]> {
  const { rows } = await sql<{ ownerId: number }>`
    with issued as (update ticket set state = 'issued', issued_at = ${at}
      where order_id = ${orderId} and state = 'held' returning owner_id)
    select distinct owner_id from issued order by 1`.execute(tx);
  await sql`update ticket_order set state = 'paid', paid_at = ${at}, ended_at = ${at},
    wallet_id = ${walletId} where id = ${orderId}`.execute(tx);
  return rows.map(({ ownerId }) => ownerId);
}

/** Takes the seats of an expired order again, for a payment that arrived late. */
async function holdAgain(tx: Tx, order: Order, at: Date): Promise<void> {
  const { rows } = await sql<Seats & { begun: boolean }>`
    select t.session_id, t.category_id, count(*)::int as count,
      bool_or(s.starts_at <= ${at} or o.cancelled_at is not null) as begun
    from ticket t join ticket_session s on s.id = t.session_id
    join ticket_event o on o.id = s.event_id
    where t.order_id = ${order.id} and t.state = 'expired' group by 1, 2`.execute(tx);
  if (rows.some(({ begun }) => begun)) throw new Problem("tickets_closed");
  await takeSeats(tx, rows);
  await sql`insert into ticket (order_id, session_id, category_id, owner_id, price_cents, state,
      reduced, policy)
    select order_id, session_id, category_id, owner_id, price_cents, 'held', reduced, policy
    from ticket where order_id = ${order.id} and state = 'expired'`.execute(tx);
}
