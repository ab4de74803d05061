// The cart: adding and removing seats, its expiry after 25 minutes, holding its seats again.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { isReduced } from "#contract/tickets/states.ts";
import type { tickets } from "#contract/tickets/rows.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { holderFor, mayActFor } from "#server/family/family.ts";
import { orderPaymentSql } from "#server/payments/payments.ts";
import type { Caller } from "#server/http/caller.ts";
import type { PersonCall } from "#server/http/caller.ts";
import {
  addHeldTickets,
  changeableCart,
  dropOrder,
  expireOrder,
  isExamined,
  lockCart,
  lockOrder,
  openCart,
  type Order,
  addSeconds,
} from "./orders.ts";
import { expireDueCarts } from "./expiry.ts";
import { releaseSeats, remainingSeats, type Seats, takeSeats, tryTakeSeats } from "./seats.ts";
import { requireEligible, type SaleTerms, readSaleTerms } from "./sale-terms.ts";
import { tickets as limits } from "#contract/tickets/limits.ts";
import type { Cart, CartLine, CartState } from "#contract/tickets/cart.ts";
import type { TopUpState } from "#contract/payments/rows.ts";

type Answer = Output<typeof tickets.cart>;

/**
 * The caller's cart; an overdue one is expired first, and seats for a person who is no longer the caller's
 * child are freed.
 */
export async function readMyCart({ deps, caller }: Pick<PersonCall<unknown>, "deps" | "caller">) {
  const at = deps.now();
  const due = await cartRow(deps, caller.personId);
  const isOver = due?.state === "cart" && due.expiresAt <= at;
  if (!isOver && !due?.holdsForOthers) return toCartAnswer(deps, due ? toCartView(due) : null);
  await inTx(deps.db, async (tx) => {
    const cart = await lockCart(tx, caller.personId);
    if (!cart || (await isExamined(tx, cart))) return;
    if (cart.expiresAt <= at) await expireOrder(tx, deps, cart, at);
    else await freeSeatsOfOthers(tx, deps, await changeableCart(tx, cart, at), at);
  });
  return toCartAnswer(deps, await readCart(deps, caller.personId));
}

/** Frees seats that are held for a person whom the buyer may no longer act for. */
async function freeSeatsOfOthers(tx: Tx, deps: Deps, cart: Order, at: Date): Promise<void> {
  const { rows: freed } = await sql<Seats>`
    with freed as (delete from ticket where order_id = ${cart.id} and state = 'held'
      and not ${mayActFor(cart.personId, sql.ref("owner_id"))} returning session_id, category_id)
    select session_id, category_id, count(*)::int as count
    from freed group by 1, 2`.execute(tx);
  await releaseSeats(tx, deps, freed, at);
  await dropIfEmpty(tx, deps, cart, at);
}

/** A cart with the server's time, which its countdown uses. */
export const toCartAnswer = ({ now }: Deps, cart: Answer["cart"]): Answer => ({
  cart,
  now: now().toISOString(),
});

interface Line {
  session: string;
  category: string;
  cardnumber: number;
  quantity: number;
}

/**
 * Sets the number of seats of a session at a price for a card; 0 removes them. Added seats are held at
 * once, within the seats that remain. Refuses as its row lists.
 */
export async function putLine(call: PersonCall<Line>): Promise<Answer> {
  const { deps, caller, input } = call;
  const { id: ownerId } = await holderFor(deps.db, caller.personId, input.cardnumber);
  const terms = await readSaleTerms(deps.db, input, deps.now());
  const put = () =>
    inTx(deps.db, (tx) => setLine(tx, call, terms, { ownerId, quantity: input.quantity }));
  try {
    if (input.quantity > 0) await requireSeatsLeft(deps, caller, terms);
    await put();
  } catch (error) {
    // Expired carts hold their seats until the job of the next minute: expire them and try once more.
    const full = error instanceof Problem && error.code === "tickets_sold_out";
    if (!full || !(await expireDueCarts(deps, terms.sessionId))) throw error;
    await put();
  }
  return toCartAnswer(deps, await readCart(deps, caller.personId));
}

/** Refuses `tickets_sold_out` without taking a lock, so a rush on a full session stays cheap. */
async function requireSeatsLeft({ db }: Deps, caller: Caller, terms: SaleTerms): Promise<void> {
  if ((await remainingSeats(db, terms)) > 0) return;
  const { rows } = await sql`select from ticket_order o join ticket t on t.order_id = o.id
    where o.person_id = ${caller.personId} and o.state = 'cart'
      and t.session_id = ${terms.sessionId} limit 1`.execute(db);
  if (rows.length === 0) throw new Problem("tickets_sold_out", { left: 0 });
}

async function setLine(
  tx: Tx,
  { deps, caller }: PersonCall<unknown>,
  terms: SaleTerms,
  { ownerId, quantity }: { ownerId: number; quantity: number },
): Promise<void> {
  const at = deps.now();
  const cart = await openCart(tx, deps, caller.personId, at);
  const { sessionId, categoryId } = terms;
  const { rows: held } = await sql<{ id: string }>`select id from ticket
    where order_id = ${cart.id} and state = 'held' and session_id = ${sessionId}
      and category_id = ${categoryId} and owner_id = ${ownerId} order by id`.execute(tx);
  const count = quantity - held.length;
  if (count > 0) {
    if (!terms.onSale) throw new Problem("tickets_closed");
    await requireEligible(tx, terms, ownerId, terms.startsAt);
    if (held.length > 0 && isReduced(terms)) throw new Problem("tickets_one_each");
    await addHeldTickets(tx, cart, terms, { ownerId, count });
    // Last, so that the contended quota row is locked as briefly as possible.
    await takeSeats(tx, [{ sessionId, categoryId, count }]);
  } else if (count < 0) {
    const out = held.slice(quantity).map(({ id }) => id);
    await sql`delete from ticket where id = any (${out}::uuid[])`.execute(tx);
    await releaseSeats(tx, deps, [{ sessionId, categoryId, count: -count }], at);
  }
  await dropIfEmpty(tx, deps, cart, at);
}

/** Drops an empty cart, so that the next seat starts a new one with its own 25 minutes. */
async function dropIfEmpty(tx: Tx, deps: Deps, cart: Order, at: Date): Promise<void> {
  const { rows } = await sql`select from ticket
    where order_id = ${cart.id} and state = 'held' limit 1`.execute(tx);
  if (rows.length === 0) await dropOrder(tx, deps, cart, at);
}

/**
 * Holds the seats of an open cart for 25 minutes from now, within an hour of its opening. Refuses with
 * `cart_over` when its time has passed, `cart_longest` when nothing can be added.
 */
export async function extendCart({
  deps,
  caller,
  input,
}: PersonCall<{ order: string }>): Promise<Answer> {
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const order = await lockOrder(tx, caller.personId, input.order);
    if (order.state !== "cart" || order.expiresAt <= at) throw new Problem("cart_over");
    const target = addSeconds(at, limits.cartSeconds);
    const longest = addSeconds(order.openedAt, limits.longestCartSeconds);
    const until = target < longest ? target : longest;
    if (until <= order.expiresAt) throw new Problem("cart_longest");
    await sql`update ticket_order set expires_at = ${until} where id = ${order.id}`.execute(tx);
  });
  return toCartAnswer(deps, await readCart(deps, caller.personId));
}

/** Drops the cart and its seats, or dismisses an expired one. Refuses with `cart_paying`. */
export async function dropCart({
  deps,
  caller,
  input,
}: PersonCall<{ order: string }>): Promise<Answer> {
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const order = await lockOrder(tx, caller.personId, input.order);
    if (order.state === "cart") {
      if (await isExamined(tx, order)) throw new Problem("cart_paying");
      await dropOrder(tx, deps, order, at);
    } else if (order.state === "expired") {
      await sql`update ticket_order set state = 'dropped' where id = ${order.id}`.execute(tx);
    }
  });
  return toCartAnswer(deps, await readCart(deps, caller.personId));
}

/**
 * Holds the seats of an expired cart again, in the open cart or a new one: all of a line, or as many
 * as remain. Refuses with `tickets_sold_out` when none is left.
 */
export async function retryCart({
  deps,
  caller,
  input,
}: PersonCall<{ order: string }>): Promise<Answer> {
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const ended = await lockOrder(tx, caller.personId, input.order);
    if (ended.state === "paid" || ended.state === "dropped") throw new Problem("not_found");
    // A second click finds the cart of the first.
    if (ended.state === "cart") return;
    await sql`update ticket_order set state = 'dropped' where id = ${ended.id}`.execute(tx);
    const { rows } = await sql<{ session: string; category: string; ownerId: number; n: number }>`
      select session_id as session, category_id as category, owner_id,
        count(*)::int as n
      from ticket where order_id = ${ended.id} and state = 'expired'
        and ${mayActFor(caller.personId, sql.ref("owner_id"))}
      group by 1, 2, 3 order by 1, 2, 3`.execute(tx);
    const cart = await openCart(tx, deps, caller.personId, at);
    let seatCount = 0;
    for (const { session, category, ownerId, n } of rows) {
      const terms = await readSaleTerms(tx, { session, category }, at);
      if (!terms.onSale) continue;
      const seat = { sessionId: session, categoryId: category };
      const left = await tryTakeSeats(tx, [{ ...seat, count: n }]);
      const count = left < 0 ? n : left;
      if (left > 0) await takeSeats(tx, [{ ...seat, count }]);
      if (count > 0) await addHeldTickets(tx, cart, terms, { ownerId, count });
      seatCount += count;
    }
    if (seatCount === 0) throw new Problem("tickets_sold_out", { left: 0 });
  });
  return toCartAnswer(deps, await readCart(deps, caller.personId));
}

interface Row {
  id: string;
  state: CartState;
  /** An open cart has seats for a person whom its buyer may no longer act for. */
  holdsForOthers: boolean;
  expiresAt: Date;
  openedAt: Date;
  lines: (Omit<CartLine, "startsAt"> & { startsAt: string })[] | null;
  paymentId: string | null;
  paymentState: TopUpState | null;
}

/** The open cart of a person, else the last one if it expired within a day and was not dismissed. */
export async function readCart(deps: Deps, personId: number): Promise<Cart | null> {
  const row = await cartRow(deps, personId);
  return row ? toCartView(row) : null;
}

async function cartRow(deps: Deps, personId: number): Promise<Row | undefined> {
  const since = addSeconds(deps.now(), -limits.endedShownSeconds);
  const rows = await readOrders(
    deps,
    sql`o.id = (select id from ticket_order where person_id = ${personId}
      order by state = 'cart' desc, opened_at desc, id limit 1)
      and (o.state = 'cart' or (o.state = 'expired' and o.ended_at > ${since}))`,
  );
  return rows[0];
}

/** An order of a person in any state; null for somebody else's. */
export async function readOrder(deps: Deps, personId: number, id: string): Promise<Cart | null> {
  const rows = await readOrders(deps, sql`o.id = ${id} and o.person_id = ${personId}`);
  return rows[0] ? toCartView(rows[0]) : null;
}

/** With the lines for people whom the buyer may still act for: those for a former child are left out. */
async function readOrders({ db }: Deps, condition: ReturnType<typeof sql>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select o.id, o.state, o.expires_at, o.opened_at, payment.top_up_id as payment_id,
      payment.state as payment_state,
      o.state = 'cart' and exists (select from ticket t where t.order_id = o.id and t.state = 'held'
        and not ${mayActFor(sql.ref("o.person_id"), sql.ref("t.owner_id"))}) as holds_for_others,
      (select json_agg(line order by line."startsAt", line.title, line.holder, line."priceCents" desc)
       from (
        select s.event_id as event, s.id as session, c.id as category, f.title,
          s.starts_at as "startsAt", c.name as "categoryName", t.price_cents as "priceCents",
          p.name as holder, count(*)::int as quantity,
          (select number from current_card(p.id)) as cardnumber
        from ticket t join ticket_session s on s.id = t.session_id
        join ticket_event f on f.id = s.event_id
        join ticket_category c on c.id = t.category_id
        join person p on p.id = t.owner_id
        where t.order_id = o.id and t.replaces is null
          and ${mayActFor(sql.ref("o.person_id"), sql.ref("t.owner_id"))} and case o.state
          when 'cart' then t.state = 'held'
          when 'paid' then t.issued_at is not null
          else t.state = 'expired' and t.issued_at is null end
        group by s.event_id, s.id, c.id, f.title, s.starts_at, c.name, t.price_cents, p.id, p.name
      ) line) as lines
    from ticket_order o ${orderPaymentSql("tickets", "o", "opened_at")}
    where ${condition}`.execute(db);
  return rows;
}

function toCartView(row: Row): Cart {
  const lines = (row.lines ?? []).map((line) => ({
    ...line,
    startsAt: new Date(line.startsAt).toISOString(),
  }));
  const { id, state, expiresAt, openedAt, paymentId, paymentState } = row;
  return {
    id,
    state,
    expiresAt: expiresAt.toISOString(),
    longestUntil: addSeconds(openedAt, limits.longestCartSeconds).toISOString(),
    lines,
    totalCents: lines.reduce((sum, line) => sum + line.priceCents * line.quantity, 0),
    payment: paymentId && paymentState ? { id: paymentId, state: paymentState } : null,
  };
}
