// The cart: seats put in and taken out, its end after 25 minutes, another try.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { isReduced } from "#contract/ticket-states.ts";
import type { tickets } from "#contract/tickets.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import { cartOf } from "./cart-seen.ts";
import {
  addHeld,
  dropOrder,
  expireOrder,
  isAtBank,
  lockCart,
  lockOrder,
  openCart,
  type Order,
} from "./orders.ts";
import { releaseDue } from "./release.ts";
import { freeSeats, spareSeats, takeSeats, tryTake } from "./seats.ts";
import { reachedPerson, refuseProfile, type Wanted, wantedOf } from "./wanted.ts";

/** Who acts and from where: of the call. */
export interface Act<Input> {
  deps: Deps;
  caller: Caller;
  origin: Origin;
  input: Input;
}

type Answer = Output<typeof tickets.cart>;

/** The caller's cart as it stands; one whose time is over ends here. */
export async function myCart({ deps, caller }: Pick<Act<unknown>, "deps" | "caller">) {
  const at = deps.now();
  const due = await cartOf(deps, caller.personId);
  if (due?.state !== "cart" || due.expiresAt > at.toISOString()) return answered(deps, due);
  await inTx(deps.db, async (tx) => {
    const cart = await lockCart(tx, caller.personId);
    if (cart && cart.expiresAt <= at && !(await isAtBank(tx, cart))) {
      await expireOrder(tx, deps, cart, at);
    }
  });
  return answered(deps, await cartOf(deps, caller.personId));
}

/** A cart with the clock that its countdown goes by. */
export const answered = ({ now }: Deps, cart: Answer["cart"]): Answer => ({
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
 * Sets how many seats of a session the caller wants at a price for a card; 0 takes them out. What is
 * added is held at once, never beyond what there is. Refuses as its row lists.
 */
export async function putLine(act: Act<Line>): Promise<Answer> {
  const { deps, caller, input } = act;
  const ownerId = await reachedPerson(deps.db, caller.personId, input.cardnumber);
  const wanted = await wantedOf(deps.db, input, deps.now());
  const put = () =>
    inTx(deps.db, (tx) => setLine(tx, act, wanted, { ownerId, quantity: input.quantity }));
  try {
    if (input.quantity > 0) await refuseEarly(deps, caller, wanted);
    await put();
  } catch (error) {
    // Carts that nobody came back for hold seats until the next minute: looked at once more.
    const full = error instanceof Problem && error.code === "tickets_sold_out";
    if (!full || !(await releaseDue(deps, wanted.sessionId))) throw error;
    await put();
  }
  return answered(deps, await cartOf(deps, caller.personId));
}

/** A crowd at a session that is sold out is answered without taking a lock. */
async function refuseEarly({ db }: Deps, caller: Caller, wanted: Wanted): Promise<void> {
  if ((await spareSeats(db, wanted)) > 0) return;
  const { rows } = await sql`select from ticket_order o join ticket t on t.order_id = o.id
    where o.person_id = ${caller.personId} and o.state = 'cart'
      and t.session_id = ${wanted.sessionId} limit 1`.execute(db);
  if (rows.length === 0) throw new Problem("tickets_sold_out", { left: 0 });
}

async function setLine(
  tx: Tx,
  { deps, caller }: Act<unknown>,
  wanted: Wanted,
  { ownerId, quantity }: { ownerId: number; quantity: number },
): Promise<void> {
  const at = deps.now();
  const cart = await openCart(tx, deps, caller.personId, at);
  const { sessionId, categoryId } = wanted;
  const { rows: held } = await sql<{ id: string }>`select id from ticket
    where order_id = ${cart.id} and state = 'held' and session_id = ${sessionId}
      and category_id = ${categoryId} and owner_id = ${ownerId} order by id`.execute(tx);
  const count = quantity - held.length;
  if (count > 0) {
    if (!wanted.onSale) throw new Problem("tickets_closed");
    await refuseProfile(tx, wanted, ownerId, wanted.startsAt);
    if (held.length > 0 && isReduced(wanted)) throw new Problem("tickets_one_each");
    await addHeld(tx, cart, wanted, { ownerId, count });
    // Last: the row that everyone wants is locked as briefly as can be.
    await takeSeats(tx, [{ sessionId, categoryId, count }]);
  } else if (count < 0) {
    const out = held.slice(quantity).map(({ id }) => id);
    await sql`delete from ticket where id = any (${out}::uuid[])`.execute(tx);
    await freeSeats(tx, deps, [{ sessionId, categoryId, count: -count }], at);
  }
  await dropEmpty(tx, deps, cart, at);
}

/** An empty cart is no cart: the next seat begins 25 minutes of its own. */
async function dropEmpty(tx: Tx, deps: Deps, cart: Order, at: Date): Promise<void> {
  const { rows } = await sql`select from ticket
    where order_id = ${cart.id} and state = 'held' limit 1`.execute(tx);
  if (rows.length === 0) await dropOrder(tx, deps, cart, at);
}

/** Gives up the cart and its seats, or puts away one that ended. Refuses with `cart_paying`. */
export async function dropCart({ deps, caller, input }: Act<{ order: string }>): Promise<Answer> {
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const order = await lockOrder(tx, caller.personId, input.order);
    if (order.state === "cart") {
      if (await isAtBank(tx, order)) throw new Problem("cart_paying");
      await dropOrder(tx, deps, order, at);
    } else if (order.state === "expired") {
      await sql`update ticket_order set state = 'dropped' where id = ${order.id}`.execute(tx);
    }
  });
  return answered(deps, await cartOf(deps, caller.personId));
}

/**
 * Holds again, in the open cart or a new one, the seats of a cart that ended: all of a line, or as
 * many as there are. Refuses with `tickets_sold_out` when none is left.
 */
export async function retryCart({ deps, caller, input }: Act<{ order: string }>): Promise<Answer> {
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const ended = await lockOrder(tx, caller.personId, input.order);
    if (ended.state === "paid" || ended.state === "dropped") throw new Problem("not_found");
    // A second click finds the cart of the first.
    if (ended.state === "cart") return;
    await sql`update ticket_order set state = 'dropped' where id = ${ended.id}`.execute(tx);
    const { rows } = await sql<{ session: string; category: string; ownerId: number; n: number }>`
      select session_id as session, category_id as category, owner_id as "ownerId",
        count(*)::int as n
      from ticket where order_id = ${ended.id} and state = 'expired'
      group by 1, 2, 3 order by 1, 2, 3`.execute(tx);
    const cart = await openCart(tx, deps, caller.personId, at);
    let kept = 0;
    for (const { session, category, ownerId, n } of rows) {
      const wanted = await wantedOf(tx, { session, category }, at);
      if (!wanted.onSale) continue;
      const seat = { sessionId: session, categoryId: category };
      const left = await tryTake(tx, [{ ...seat, count: n }]);
      const count = left < 0 ? n : left;
      if (left > 0) await takeSeats(tx, [{ ...seat, count }]);
      if (count > 0) await addHeld(tx, cart, wanted, { ownerId, count });
      kept += count;
    }
    if (kept === 0) throw new Problem("tickets_sold_out", { left: 0 });
  });
  return answered(deps, await cartOf(deps, caller.personId));
}
