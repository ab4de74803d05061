// The door: a ticket lets in once; what must not be let in is listed and signed for controls without
// network.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatDateTime } from "#contract/french.ts";
import { tickets as limits } from "#contract/limits.ts";
import type { TicketState } from "#contract/ticket-states.ts";
import type { tickets } from "#contract/tickets.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import type { Act } from "./cart.ts";
import { later } from "./orders.ts";
import { readTicketToken, signRevocations } from "./token.ts";

type Admitted = Output<typeof tickets.scan>;

interface Shown extends Omit<Admitted, "startsAt" | "reference"> {
  id: string;
  state: TicketState;
  revision: number;
  usedAt: Date | null;
  startsAt: Date;
  partnerId: number | null;
}

/** « 8F3A-21C7 »: the first characters of a ticket's id. */
export const referenceOf = (id: string): string =>
  `${id.slice(0, 4)}-${id.slice(4, 8)}`.toUpperCase();

/** From when until when the QR of a session is good. */
export const validityOf = (startsAt: Date, endsAt: Date): { from: Date; until: Date } => ({
  from: later(startsAt, -limits.doorsHours * 3600),
  until: later(endsAt, limits.graceHours * 3600),
});

/**
 * Lets a ticket in, once for ever: of two hundred scans at once, one wins. `by` is the partner at the
 * door, null for the operator. Refuses `ticket_forged`, `ticket_used` {at}, `ticket_revoked`,
 * `ticket_early` {at}, `ticket_late`, `ticket_elsewhere`.
 */
export async function useTicket(
  tx: Tx,
  { token, at, by }: { token: string; at: Date; by: number | null },
): Promise<Admitted> {
  const said = await readTicketToken(tx, token);
  if (!said) throw new Problem("ticket_forged");
  const { rows } = await sql<Shown>`
    select t.id, t.state, t.revision, t.used_at as "usedAt", o.title, c.name as category,
      p.name as holder, s.starts_at as "startsAt", o.partner_id as "partnerId"
    from ticket t join ticket_session s on s.id = t.session_id
    join ticket_offer o on o.id = s.offer_id join ticket_category c on c.id = t.category_id
    join person p on p.id = t.owner_id
    where t.id = ${said.id} for update of t`.execute(tx);
  const ticket = rows[0];
  if (!ticket) throw new Problem("ticket_forged");
  if (by !== null && ticket.partnerId !== by) throw new Problem("ticket_elsewhere");
  if (ticket.usedAt) throw new Problem("ticket_used", { at: formatDateTime(ticket.usedAt) });
  if (ticket.state !== "issued" || ticket.revision !== said.revision) {
    throw new Problem(ticket.state === "expired" ? "ticket_late" : "ticket_revoked");
  }
  if (at < said.from) throw new Problem("ticket_early", { at: formatDateTime(said.from) });
  if (at > said.until) throw new Problem("ticket_late");
  await sql`update ticket set state = 'used', used_at = ${at}, used_by = ${by}, ended_at = ${at}
    where id = ${ticket.id}`.execute(tx);
  await sql`update ticket_transfer set state = 'withdrawn', answered_at = ${at}
    where ticket_id = ${ticket.id} and state = 'open'`.execute(tx);
  const { title, category, holder, startsAt } = ticket;
  return {
    title,
    category,
    holder,
    startsAt: startsAt.toISOString(),
    reference: referenceOf(ticket.id),
  };
}

/** The scan of the partner whose event it is. */
export const scan = ({ deps, caller, input }: Act<{ token: string }>): Promise<Admitted> =>
  inTx(deps.db, (tx) => useTicket(tx, { ...input, at: deps.now(), by: caller.personId }));

/** Revoked codes of a partner's sessions that are not over, signed. */
export async function revocationsFor(
  db: Db,
  partnerId: number,
  at: Date,
): Promise<Output<typeof tickets.revocations>> {
  const { rows } = await sql<{ id: string; revision: number }>`
    select t.id, case when t.state = 'issued' then t.revision else 0 end as revision
    from ticket t join ticket_session s on s.id = t.session_id
    join ticket_offer o on o.id = s.offer_id
    where o.partner_id = ${partnerId} and s.ends_at > ${later(at, -limits.graceHours * 3600)}
      and t.issued_at is not null and (t.state <> 'issued' or t.revision > 1)
    order by t.id`.execute(db);
  const revoked = rows.map(({ id, revision }) => [id, revision]);
  const until = later(at, 24 * 3600).toISOString();
  return await signRevocations(db, JSON.stringify({ at: at.toISOString(), until, revoked }));
}

/** A card was opposed: the QR codes of its person's tickets are made anew, the tickets stay theirs. */
export async function renewCodes(tx: Tx, personId: number): Promise<void> {
  await sql`update ticket set revision = revision + 1
    where owner_id = ${personId} and state = 'issued' and revision < 65535`.execute(tx);
}
