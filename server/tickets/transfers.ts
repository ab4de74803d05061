// Transfers of tickets to another card. Once accepted, the old QR code is revoked and a new ticket issued.
import { sql } from "kysely";
import { isCardnumber } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber, formatDateTime } from "#contract/french.ts";
import { atPlace } from "#contract/places.ts";
import { tickets as limits } from "#contract/tickets/limits.ts";
import { type Condition, conditionText, ticketCan } from "#contract/tickets/states.ts";
import type { TicketTransfer } from "#contract/tickets/rows.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { mayActFor } from "#server/family/family.ts";
import { auditAct, personByCard } from "#server/identity/identity.ts";
import type { AuditedCall } from "#server/http/caller.ts";
import { newSecretLink, secretDigest } from "#server/http/secret-link.ts";
import { revokeTicket } from "./admission.ts";
import { lockTicket, addSeconds } from "./orders.ts";
import { type TicketDeps, announceTicket, ownTicketsPath } from "./announcements.ts";
import { isEligible } from "./sale-terms.ts";

interface TransferViewRow extends Omit<TicketTransfer, "startsAt" | "expiresAt"> {
  startsAt: Date;
  expiresAt: Date;
}

async function transfersWhere(
  db: Db,
  condition: ReturnType<typeof sql>,
): Promise<TicketTransfer[]> {
  const { rows } = await sql<TransferViewRow>`
    select x.id, o.title, s.starts_at, o.venue, c.name as category, p.name as from,
      x.to_cardnumber, x.expires_at
    from ticket_transfer x join ticket t on t.id = x.ticket_id
    join ticket_session s on s.id = t.session_id join ticket_event o on o.id = s.event_id
    join ticket_category c on c.id = t.category_id join person p on p.id = x.from_id
    where ${condition} order by x.expires_at, x.id limit 50`.execute(db);
  return rows.map((row) => ({
    ...row,
    startsAt: row.startsAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }));
}

/** Open transfers to a person. */
export const transfersReceived = (db: Db, personId: number, at: Date): Promise<TicketTransfer[]> =>
  transfersWhere(
    db,
    sql`x.to_id = ${personId} and x.state = 'open' and x.expires_at > ${at}
      and s.starts_at > ${at} and t.state = 'issued'`,
  );

/**
 * Offers a ticket to a card for 48 hours, at most until the session begins; the answer is the same whether or
 * not that card exists. Until it is accepted the ticket stays as it is. Refuses `ticket_state`,
 * `ticket_late`, `ticket_transfer_open`, `ticket_transfer_self`, `ticket_transfers_full`.
 */
export function startTransfer(
  act: AuditedCall<{ ticket: string; toCardnumber: number }>,
): Promise<TicketTransfer> {
  const { deps, input } = act;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const { toCardnumber } = input;
    const { ticket, expiresAt } = await lockTransferable(tx, act);
    const to = isCardnumber(toCardnumber) ? await personByCard(tx, toCardnumber) : null;
    if (to?.personId === ticket.ownerId) throw new Problem("ticket_transfer_self");
    const toId = to && to.type === 1 && !to.disabled ? to.personId : null;
    const { id } = await query(tx).one(sql<{ id: string }>`
      insert into ticket_transfer (ticket_id, from_id, to_cardnumber, to_id, requested_at, expires_at)
      values (${ticket.id}, ${ticket.ownerId}, ${toCardnumber}, ${toId}, ${at}, ${expiresAt})
      returning id`);
    const [seen] = await transfersWhere(tx, sql`x.id = ${id}`);
    if (!seen) throw new Error("the transfer just written is not there");
    if (toId !== null) {
      await announceTicket(tx, deps, [toId], {
        title: "Un billet pour vous",
        body:
          `${seen.from} vous transfère un billet pour «\u00a0${seen.title}\u00a0». ` +
          `Répondez avant le ${formatDateTime(expiresAt)}.`,
        path: atPlace(ownTicketsPath, "ticketTransfer", id),
        at,
        alsoOutside: true,
      });
    }
    await auditTransfer(tx, act, "ticket.transfer", at, { name: formatCardnumber(toCardnumber) });
    return seen;
  });
}

/**
 * Offers a ticket by a link, for as long as to a card; its address is answered only once. Refuses
 * `ticket_state`, `ticket_late`, `ticket_transfer_open`, `ticket_transfers_full`.
 */
export function startTransferByLink(
  act: AuditedCall<{ ticket: string }>,
): Promise<{ address: string }> {
  const path = `${ownTicketsPath}#billet=`;
  const { address, digest } = newSecretLink("ticket", { siteOrigin: act.caller.siteOrigin, path });
  return inTx(act.deps.db, async (tx) => {
    const at = act.deps.now();
    const { ticket, expiresAt } = await lockTransferable(tx, act);
    await sql`insert into ticket_transfer (ticket_id, from_id, secret_hash, requested_at, expires_at)
      values (${ticket.id}, ${ticket.ownerId}, ${digest}, ${at}, ${expiresAt})`.execute(tx);
    await auditTransfer(tx, act, "ticket.transfer", at, { name: "lien" });
    return { address };
  });
}

/** The ticket that may be offered now, locked, and the end of the offer. */
async function lockTransferable(tx: Tx, { deps, caller, input }: AuditedCall<{ ticket: string }>) {
  const at = deps.now();
  await sql`select from person where id = ${caller.personId} for no key update`.execute(tx);
  const ticket = await lockTicket(tx, caller.personId, input.ticket);
  if (!ticketCan.transfer(ticket)) throw new Problem("ticket_state");
  if (ticket.startsAt <= at) throw new Problem("ticket_late");
  await requireTransferSlot(tx, caller.personId);
  const last = addSeconds(at, limits.transferHours * 3600);
  return { ticket, expiresAt: last < ticket.startsAt ? last : ticket.startsAt };
}

async function requireTransferSlot(tx: Tx, personId: number): Promise<void> {
  const { n } = await query(tx).one(sql<{ n: number }>`
    select count(*)::int as n from ticket_transfer
    where from_id = ${personId} and state = 'open'`);
  if (n >= limits.openTransfers) {
    throw new Problem("ticket_transfers_full", { max: limits.openTransfers });
  }
}

async function auditTransfer(
  tx: Tx,
  { caller, origin }: AuditedCall<unknown>,
  action: string,
  at: Date,
  details: Record<string, string> = {},
): Promise<void> {
  await auditAct(tx, { caller, origin }, action, { details, at });
}

interface OpenTransfer {
  id: string;
  ticketId: string;
  fromId: number;
  toId: number | null;
  state: string;
  expiresAt: Date;
}

/** A transfer that the caller may answer (as `to`) or withdraw (as `from`), locked. */
async function lockTransfer(tx: Tx, act: AuditedCall<{ id: string }>, side: "from_id" | "to_id") {
  const open = await query(tx).maybeOne(sql<OpenTransfer>`
    select id, ticket_id, from_id, to_id, state,
      expires_at
    from ticket_transfer where id = ${act.input.id}
      and ${mayActFor(act.caller.personId, sql.ref(side))} for update`);
  if (!open) throw new Problem("not_found");
  if (open.state !== "open" || open.expiresAt <= act.deps.now()) {
    throw new Problem("ticket_transfer_over");
  }
  return open;
}

const closeTransfer = (tx: Tx, id: string, state: string, at: Date) =>
  sql`update ticket_transfer set state = ${state}, answered_at = ${at}
    where id = ${id}`.execute(tx);

/**
 * Opens a link that offers a ticket: from then on it waits for the answer of this person, as if it had been
 * offered to their card. Refuses `ticket_transfer_over` once it ended or somebody else opened it.
 */
export function claimTransfer(act: AuditedCall<{ secret: string }>): Promise<{ message: string }> {
  const { deps, caller, input } = act;
  return inTx(deps.db, async (tx) => {
    const open = await query(tx).maybeOne(sql<Pick<OpenTransfer, "id" | "fromId" | "toId">>`
      select x.id, x.from_id, x.to_id
      from ticket_transfer x join ticket t on t.id = x.ticket_id and t.state = 'issued'
      where x.secret_hash = ${secretDigest("ticket", input.secret)} and x.state = 'open'
        and x.expires_at > ${deps.now()} for update of x`);
    const taken = open?.toId !== null && open?.toId !== caller.personId;
    if (!open || taken) throw new Problem("ticket_transfer_over");
    if (open.fromId === caller.personId) throw new Problem("ticket_transfer_self");
    await sql`update ticket_transfer set to_id = ${caller.personId},
      to_cardnumber = ${caller.cardnumber} where id = ${open.id}`.execute(tx);
    return { message: "Un billet vous est proposé. Acceptez-le ou refusez-le." };
  });
}

/** Withdraws an open transfer. */
export function withdrawTransfer(act: AuditedCall<{ id: string }>): Promise<{ message: string }> {
  return inTx(act.deps.db, async (tx) => {
    const at = act.deps.now();
    const { id, toId } = await lockTransfer(tx, act, "from_id");
    await closeTransfer(tx, id, "withdrawn", at);
    if (toId !== null) {
      const body = "Un billet qui vous était proposé a été retiré par son titulaire.";
      await announceTicket(tx, act.deps, [toId], { title: "Transfert retiré", body, at });
    }
    return { message: "Le transfert est retiré. Le billet reste le vôtre." };
  });
}

/** Declines a transfer; its sender gets a notice. */
export function declineTransfer(act: AuditedCall<{ id: string }>): Promise<{ message: string }> {
  return inTx(act.deps.db, async (tx) => {
    const at = act.deps.now();
    const { id, fromId } = await lockTransfer(tx, act, "to_id");
    await closeTransfer(tx, id, "declined", at);
    const body = `${act.caller.name} a refusé votre billet. Il reste le vôtre.`;
    await announceTicket(tx, act.deps, [fromId], { title: "Transfert refusé", body, at });
    return { message: "Vous avez refusé ce billet." };
  });
}

/**
 * Accepts a transfer: the ticket is replaced by one of the receiver with a new QR code. The receiver
 * must meet the condition of a reduced price (`ticket_transfer_reserved`). Refuses `ticket_transfer_over`.
 */
export function acceptTransfer(act: AuditedCall<{ id: string }>): Promise<{ message: string }> {
  return inTx(act.deps.db, async (tx) => {
    const at = act.deps.now();
    const { id, ticketId, fromId, toId } = await lockTransfer(tx, act, "to_id");
    const ticket = await query(tx).maybeOne(sql<Condition & { startsAt: Date; title: string }>`
      select c.age_min, c.age_max, c.student,
        c.quotient_max, s.starts_at, o.title
      from ticket t join ticket_session s on s.id = t.session_id
      join ticket_event o on o.id = s.event_id join ticket_category c on c.id = t.category_id
      where t.id = ${ticketId} and t.state = 'issued' and s.starts_at > ${at}
      for update of t`);
    if (!ticket || toId === null) throw new Problem("ticket_transfer_over");
    if (!(await isEligible(tx, ticket, toId, ticket.startsAt))) {
      throw new Problem("ticket_transfer_reserved", { condition: conditionText(ticket) });
    }
    await closeTransfer(tx, id, "accepted", at);
    await sql`update ticket set state = 'transferred', ended_at = ${at}
      where id = ${ticketId}`.execute(tx);
    await revokeTicket(tx, ticketId);
    await sql`insert into ticket (order_id, session_id, category_id, owner_id, price_cents, state,
        reduced, policy, replaces, issued_at)
      select order_id, session_id, category_id, ${toId}, price_cents, 'issued', reduced, policy, id,
        ${at} from ticket where id = ${ticketId}`.execute(tx);
    await announceTicket(tx, act.deps, [fromId], {
      title: "Billet transféré",
      body: `Votre billet pour «\u00a0${ticket.title}\u00a0» a été accepté. Son ancien code ne vaut plus.`,
      at,
    });
    await auditTransfer(tx, act, "ticket.accept", at);
    return { message: "Le billet est à vous." };
  });
}

/** Expires unanswered transfers; their senders get a notice. */
export async function expireTransfers(deps: TicketDeps | Deps): Promise<void> {
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const { rows } = await sql<{ fromId: number; title: string }>`
      with due as (select id from ticket_transfer where state = 'open' and expires_at <= ${at}
        order by expires_at limit 200 for update skip locked),
      ended as (update ticket_transfer x set state = 'expired', answered_at = ${at}
        from due where x.id = due.id returning x.from_id, x.ticket_id)
      select e.from_id, o.title from ended e join ticket t on t.id = e.ticket_id
      join ticket_session s on s.id = t.session_id join ticket_event o on o.id = s.event_id
      order by e.from_id`.execute(tx);
    for (const { fromId, title } of rows) {
      const body = `Personne n'a répondu pour «\u00a0${title}\u00a0». Le billet reste le vôtre.`;
      await announceTicket(tx, deps, [fromId], { title: "Transfert sans réponse", body, at });
    }
  });
}
