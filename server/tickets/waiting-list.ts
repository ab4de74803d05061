// Waiting lists of sold-out sessions: joining, taking the seats offered, leaving.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { tickets as limits } from "#contract/limits.ts";
import { isReduced } from "#contract/tickets/states.ts";
import type { Output } from "#contract/endpoint.ts";
import type { tickets } from "#contract/tickets/rows.ts";
import { inTx } from "#server/db/db.ts";
import { holderFor } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { toCartAnswer, readCart } from "./cart.ts";
import { addHeldTickets, addSeconds, openCart, ticketsOfEvent } from "./orders.ts";
import { releaseSeats, offerToWaitingList, remainingSeats } from "./seats.ts";
import { requireEligible, readSaleTerms } from "./sale-terms.ts";

interface WaitRequest {
  session: string;
  category: string;
  cardnumber: number;
  quantity: number;
}

/**
 * Puts the caller on the waiting list of a session for a number of seats at a price. Refuses
 * `ticket_wait_needless` while there are enough, `ticket_wait_twice`, `ticket_waits_full`, and what a
 * cart would refuse.
 */
export async function joinWaitingList({
  deps,
  caller,
  input,
}: PersonCall<WaitRequest>): Promise<{ message: string }> {
  const { session, category, quantity } = input;
  const { id: ownerId } = await holderFor(deps.db, caller.personId, input.cardnumber);
  const wanted = await readSaleTerms(deps.db, input, deps.now());
  if (!wanted.onSale) throw new Problem("tickets_closed");
  await requireEligible(deps.db, wanted, ownerId, wanted.startsAt);
  if (isReduced(wanted) && quantity > 1) throw new Problem("tickets_one_each");
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    await sql`select from person where id = ${caller.personId} for no key update`.execute(tx);
    if ((await remainingSeats(tx, wanted)) >= quantity) throw new Problem("ticket_wait_needless");
    const mine = await ticketsOfEvent(tx, caller.personId, wanted.eventId);
    if (mine + quantity > wanted.maxPerPerson) {
      throw new Problem("tickets_most", { most: wanted.maxPerPerson });
    }
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ticket_wait
      where person_id = ${caller.personId} and state in ('waiting', 'offered')`.execute(tx);
    if ((rows[0]?.n ?? 0) >= limits.openWaits) {
      throw new Problem("ticket_waits_full", { most: limits.openWaits });
    }
    await sql`insert into ticket_wait (person_id, owner_id, session_id, category_id, quantity,
        asked_at)
      values (${caller.personId}, ${ownerId}, ${session}, ${category}, ${quantity}, ${at})`.execute(
      tx,
    );
    // A seat may have become free since the check above.
    await offerToWaitingList(tx, deps, [session], at);
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
  quantity: number;
  offeredUntil: Date | null;
}

const selectWait = sql`select id, state, owner_id as "ownerId", session_id as session,
  category_id as category, quantity, offered_until as "offeredUntil" from ticket_wait`;

/** Puts the seats offered to the caller into their cart, for 25 minutes from now. */
export async function takeOfferedSeats({
  deps,
  caller,
  input,
}: PersonCall<{ id: string }>): Promise<Output<typeof tickets.cart>> {
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const cart = await openCart(tx, deps, caller.personId, at);
    const { rows } = await sql<WaitRow>`${selectWait}
      where id = ${input.id} and person_id = ${caller.personId} for update`.execute(tx);
    const wait = rows[0];
    if (!wait) throw new Problem("not_found");
    // A second click finds them in the cart.
    if (wait.state === "taken") return;
    if (wait.state !== "offered" || !wait.offeredUntil || wait.offeredUntil <= at) {
      throw new Problem("ticket_wait_over");
    }
    const wanted = await readSaleTerms(tx, wait, at);
    if (!wanted.onSale) throw new Problem("ticket_wait_over");
    await addHeldTickets(tx, cart, wanted, { ownerId: wait.ownerId, count: wait.quantity });
    await sql`update ticket_wait set state = 'taken' where id = ${wait.id}`.execute(tx);
    await sql`update ticket_order set expires_at =
      greatest(expires_at, ${addSeconds(at, limits.cartSeconds)}) where id = ${cart.id}`.execute(
      tx,
    );
  });
  return toCartAnswer(deps, await readCart(deps, caller.personId));
}

/** Leaves a waiting list; seats that were offered go to the next. Refuses with `ticket_wait_over`. */
export function leaveWaitingList({
  deps,
  caller,
  input,
}: PersonCall<{ id: string }>): Promise<{ message: string }> {
  return inTx(deps.db, async (tx) => {
    const { rows } = await sql<WaitRow>`${selectWait}
      where id = ${input.id} and person_id = ${caller.personId} for update`.execute(tx);
    const wait = rows[0];
    if (!wait) throw new Problem("not_found");
    if (wait.state !== "waiting" && wait.state !== "offered") throw new Problem("ticket_wait_over");
    await sql`update ticket_wait set state = 'left' where id = ${wait.id}`.execute(tx);
    if (wait.state === "offered") {
      const seats = {
        sessionId: wait.session,
        categoryId: wait.category,
        count: wait.quantity,
      };
      await releaseSeats(tx, deps, [seats], deps.now());
    }
    return { message: "Vous n'êtes plus sur cette liste d'attente." };
  });
}
