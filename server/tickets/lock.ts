// One ticket that the caller may act on, locked.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { RefundPolicy, TicketState } from "#contract/ticket-states.ts";
import type { Tx } from "#server/db/db.ts";
import { mayActFor } from "#server/family/family.ts";

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
  given: boolean;
  title: string;
  startsAt: Date;
  walletId: number | null;
}

/**
 * The ticket of oneself or of one's child; `not_found` for any other, and for one that is still in a
 * cart. Its order is locked first: money of one order is given back by one call at a time.
 */
export async function lockTicket(tx: Tx, me: number, id: string): Promise<LockedTicket> {
  const found = await lockedTicket(tx, id);
  const { rows } = await sql<{ mine: boolean }>`
    select ${mayActFor(me, sql`${found?.ownerId ?? 0}::bigint`)} as mine`.execute(tx);
  if (!found || !rows[0]?.mine) throw new Problem("not_found");
  return found;
}

export async function lockedTicket(tx: Tx, id: string): Promise<LockedTicket | undefined> {
  await sql`select from ticket_order where id = (select order_id from ticket where id = ${id})
    for update`.execute(tx);
  const { rows } = await sql<LockedTicket>`
    select t.id, t.order_id as "orderId", t.owner_id as "ownerId", r.person_id as "buyerId",
      t.session_id as "sessionId", t.category_id as "categoryId", t.state,
      t.price_cents as "priceCents", t.policy, t.replaces is not null as given, o.title,
      s.starts_at as "startsAt", r.wallet_id as "walletId"
    from ticket t join ticket_order r on r.id = t.order_id
    join ticket_session s on s.id = t.session_id join ticket_offer o on o.id = s.offer_id
    where t.id = ${id} and t.issued_at is not null for update of t`.execute(tx);
  return rows[0];
}
