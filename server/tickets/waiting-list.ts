// Waiting lists of sold-out sessions: joining, taking the seats offered, leaving.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { tickets as limits } from "#contract/tickets/limits.ts";
import { isReduced } from "#contract/tickets/states.ts";
import type { Output } from "#contract/endpoint.ts";
import type { tickets } from "#contract/tickets/rows.ts";
import { inTx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { holderFor, lockTieForShare } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { toCartAnswer, readCart } from "./cart.ts";
import { addHeldTickets, addSeconds, openCart, ticketsOfEvent } from "./orders.ts";
import { endEntries, lockCounts, releaseSeats, remainingSeats } from "./seats.ts";
import { requireEligible, readSaleTerms } from "./sale-terms.ts";

interface WaitRequest {
  session: string;
  category: string;
  cardnumber: number;
  quantity: number;
}

/**
 * Puts the caller on the waiting list of a session for a number of seats at a price. Refuses
 * `ticket_wait_needless` while one is free, `ticket_wait_twice`, `ticket_waits_full`, and as a cart does.
 */
export async function joinWaitingList({
  deps,
  caller,
  input,
}: PersonCall<WaitRequest>): Promise<{ message: string }> {
  const { session, category, quantity } = input;
  const { id: ownerId } = await holderFor(deps.db, caller.personId, input.cardnumber);
  const terms = await readSaleTerms(deps.db, input, deps.now());
  if (!terms.onSale) throw new Problem("tickets_closed");
  await requireEligible(deps.db, terms, ownerId, terms.startsAt);
  if (isReduced(terms) && quantity > 1) throw new Problem("tickets_one_each");
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    await lockTieForShare(tx, { actor: caller.personId, owner: ownerId });
    await sql`select from person where id = ${caller.personId} for no key update`.execute(tx);
    // A seat that becomes free from here on finds this entry.
    await lockCounts(tx, [session]);
    if ((await remainingSeats(tx, terms)) > 0) throw new Problem("ticket_wait_needless");
    const mine = await ticketsOfEvent(tx, caller.personId, terms.eventId);
    if (mine + quantity > terms.maxPerPerson) {
      throw new Problem("tickets_max", { max: terms.maxPerPerson });
    }
    const { n } = await query(tx).one(sql<{ n: number }>`select count(*)::int as n from ticket_wait
      where person_id = ${caller.personId} and state in ('waiting', 'offered')`);
    if (n >= limits.openWaits) {
      throw new Problem("ticket_waits_full", { max: limits.openWaits });
    }
    await sql`insert into ticket_wait (person_id, owner_id, session_id, category_id, quantity,
        requested_at)
      values (${caller.personId}, ${ownerId}, ${session}, ${category}, ${quantity}, ${at})`.execute(
      tx,
    );
    return {
      message: "Vous êtes sur la liste. Nous vous prévenons dès que des places se libèrent.",
    };
  });
}

interface WaitRow {
  id: string;
  state: string;
  ownerId: number;
  session: string;
  category: string;
  held: number;
  offeredUntil: Date | null;
}

const selectWait = sql`select id, state, owner_id, session_id as session,
  category_id as category, held, offered_until from ticket_wait`;

/**
 * Puts the seats kept for the caller into their cart, for 25 minutes from now, and ends the entry, also when
 * they are fewer than requested.
 */
export async function takeOfferedSeats({
  deps,
  caller,
  input,
}: PersonCall<{ id: string }>): Promise<Output<typeof tickets.cart>> {
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const cart = await openCart(tx, deps, caller.personId, at);
    const wait = await query(tx).maybeOne(sql<WaitRow>`${selectWait}
      where id = ${input.id} and person_id = ${caller.personId} for update`);
    if (!wait) throw new Problem("not_found");
    // A second click finds them in the cart.
    if (wait.state === "taken") return;
    const isOver = wait.state === "offered" && (wait.offeredUntil ?? at) <= at;
    if (wait.held === 0 || isOver) throw new Problem("ticket_wait_over");
    const terms = await readSaleTerms(tx, wait, at);
    if (!terms.onSale) throw new Problem("ticket_wait_over");
    await addHeldTickets(tx, cart, terms, { ownerId: wait.ownerId, count: wait.held });
    await sql`update ticket_wait set state = 'taken', held = 0 where id = ${wait.id}`.execute(tx);
    await sql`update ticket_order set expires_at =
      greatest(expires_at, ${addSeconds(at, limits.cartSeconds)}) where id = ${cart.id}`.execute(
      tx,
    );
  });
  return toCartAnswer(deps, await readCart(deps, caller.personId));
}

/** Leaves a waiting list; seats kept for it go to the next entry. Refuses with `ticket_wait_over`. */
export function leaveWaitingList({
  deps,
  caller,
  input,
}: PersonCall<{ id: string }>): Promise<{ message: string }> {
  return inTx(deps.db, async (tx) => {
    const mine = sql`where id = ${input.id} and person_id = ${caller.personId}`;
    const found = await query(tx).maybeOne(sql<WaitRow>`${selectWait} ${mine}`);
    if (!found) throw new Problem("not_found");
    await lockCounts(tx, [found.session]);
    const row = await query(tx).maybeOne(sql<WaitRow>`${selectWait} ${mine} for update`);
    const state = row?.state;
    if (state !== "waiting" && state !== "offered") throw new Problem("ticket_wait_over");
    const freed = await endEntries(tx, sql`w.id = ${input.id}`, "left");
    await releaseSeats(tx, deps, freed, deps.now());
    return { message: "Vous n'êtes plus sur cette liste d'attente." };
  });
}
