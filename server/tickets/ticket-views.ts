// Tickets as the API answers them, with their signed codes.
import { type RawBuilder, sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { ticketCan } from "#contract/tickets/states.ts";
import type { Ticket, tickets, WaitingListEntry } from "#contract/tickets/rows.ts";
import type { Db } from "#server/db/db.ts";
import { holderFor, mayActFor } from "#server/family/family.ts";
import { codeSigner } from "#server/signed-codes/signed-codes.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { referenceOf } from "#contract/reference.ts";
import { codeValidity } from "./admission.ts";
import { gatheredUntil } from "./seats.ts";
import { transfersReceived } from "./transfers.ts";

interface TicketRow extends Omit<Ticket, "startsAt" | "endsAt" | "usedAt" | "token" | "reference"> {
  startsAt: Date;
  endsAt: Date;
  usedAt: Date | null;
  revision: number;
}

/** Issued tickets `t` that match a condition: future ones first, then past ones, newest first. */
export async function ticketsWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  at: Date,
): Promise<Ticket[]> {
  const { rows } = await sql<TicketRow>`
    select t.id, t.state, t.revision, o.title, o.kind, o.organiser, o.venue, o.address,
      s.starts_at, s.ends_at, c.name as category,
      t.price_cents, p.name as holder, t.used_at,
      (select number from current_card(p.id)) as cardnumber,
      (select giver.name from ticket old join person giver on giver.id = old.owner_id
        where old.id = t.replaces) as from,
      (select json_build_object('id', x.id, 'toCardnumber', x.to_cardnumber, 'expiresAt',
          to_char(x.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        from ticket_transfer x where x.ticket_id = t.id and x.state = 'open'
          and x.expires_at > ${at}) as transfer
    from ticket t join ticket_session s on s.id = t.session_id
    join ticket_event o on o.id = s.event_id join ticket_category c on c.id = t.category_id
    join person p on p.id = t.owner_id
    where t.issued_at is not null and ${condition}
    order by t.state = 'issued' and s.ends_at > ${at} desc,
      case when s.ends_at > ${at} then s.starts_at end, s.starts_at desc, t.id
    limit 200`.execute(db);
  const signed = await codeSigner(db, "ticket");
  return rows.map(({ revision, ...row }) => {
    const good = ticketCan.use(row) && row.endsAt > at;
    const { id, startsAt, endsAt } = row;
    return {
      ...row,
      state: row.state === "issued" && !good ? "expired" : row.state,
      reference: referenceOf(id),
      token: good ? signed({ id, revision, ...codeValidity(startsAt, endsAt) }) : null,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      usedAt: row.usedAt?.toISOString() ?? null,
    };
  });
}

/**
 * Tickets that an order bought, with their codes. A ticket that replaces a transferred one keeps the order
 * but belongs to its new owner, whose code the buyer may not have: it is left out, as is one of a former
 * child.
 */
export async function ticketsOfOrder(db: Db, orderId: string, at: Date): Promise<Ticket[]> {
  const buyer = sql`(select person_id from ticket_order where id = ${orderId})`;
  const condition = sql`t.order_id = ${orderId} and t.replaces is null
    and ${mayActFor(buyer, sql.ref("t.owner_id"))}`;
  return await ticketsWhere(db, condition, at);
}

/** Tickets of a card of the last year, transfers that it may answer, its waiting-list entries. */
export async function readTicketsOfCard({
  deps,
  caller,
  input,
}: PersonCall<{ cardnumber: number }>): Promise<Output<typeof tickets.list>> {
  const { db } = deps;
  const at = deps.now();
  const { id: ownerId } = await holderFor(db, caller.personId, input.cardnumber);
  const recent = sql`t.owner_id = ${ownerId}
    and s.ends_at > ${at}::timestamptz - interval '1 year'`;
  const [items, received, waitingList] = await Promise.all([
    ticketsWhere(db, recent, at),
    transfersReceived(db, ownerId, at),
    waitingListOf(db, caller.personId, ownerId, at),
  ]);
  return { items, received, waitingList };
}

/** Waiting-list entries of the caller for a card. */
async function waitingListOf(
  db: Db,
  me: number,
  ownerId: number,
  at: Date,
): Promise<WaitingListEntry[]> {
  const { rows } = await sql<
    Omit<WaitingListEntry, "startsAt" | "gatheredUntil" | "offeredUntil"> & {
      startsAt: Date;
      gatheredUntil: Date;
      offeredUntil: Date | null;
    }
  >`
    select w.id, o.id as event, o.title, s.starts_at, c.name as category, w.quantity,
      w.held, ${gatheredUntil} as gathered_until, w.state, w.offered_until,
      (select count(*)::int from ticket_wait b where b.session_id = w.session_id
        and b.state = 'waiting' and b.number < w.number) as before
    from ticket_wait w join ticket_session s on s.id = w.session_id
    join ticket_event o on o.id = s.event_id join ticket_category c on c.id = w.category_id
    where w.person_id = ${me} and w.owner_id = ${ownerId} and s.starts_at > ${at}
      and (w.state = 'waiting' or (w.state = 'offered' and w.offered_until > ${at}))
    order by w.number`.execute(db);
  return rows.map((row) => ({
    ...row,
    startsAt: row.startsAt.toISOString(),
    gatheredUntil: row.gatheredUntil.toISOString(),
    offeredUntil: row.offeredUntil?.toISOString() ?? null,
  }));
}
