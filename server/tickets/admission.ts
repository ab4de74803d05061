// Admission: each ticket is admitted once. Codes that must no longer be accepted go on the signed revocation
// list, which a controller without network reads.
import { type RawBuilder, sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatDateTime } from "#contract/french.ts";
import { tickets as limits } from "#contract/tickets/limits.ts";
import type { TicketState } from "#contract/tickets/states.ts";
import type { tickets } from "#contract/tickets/rows.ts";
import { referenceOf } from "#contract/reference.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { revokeCodes, verifyCode } from "#server/signed-codes/signed-codes.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { addSeconds } from "./orders.ts";

type Admission = Output<typeof tickets.scan>;

interface ScannedTicket extends Omit<Admission, "startsAt" | "reference"> {
  id: string;
  state: TicketState;
  revision: number;
  usedAt: Date | null;
  startsAt: Date;
  companyId: string | null;
}

/** First and last instant at which the QR code of a session's ticket is accepted. */
export const codeValidity = (startsAt: Date, endsAt: Date): { from: Date; until: Date } => ({
  from: addSeconds(startsAt, -limits.doorsHours * 3600),
  until: addSeconds(endsAt, limits.graceHours * 3600),
});

/**
 * Admits a ticket once: its row is locked, so of several scans at once one succeeds. `by` is a person and
 * their company, which must be that of the event (spec.md 25), null for the operator. Refuses
 * `ticket_forged`, `ticket_used` {at}, `ticket_revoked`, `ticket_early` {at}, `ticket_late`,
 * `ticket_elsewhere`.
 */
export async function admitTicket(
  tx: Tx,
  {
    token,
    at,
    by,
  }: { token: string; at: Date; by: { personId: number; companyId: string } | null },
): Promise<Admission> {
  const code = await verifyCode(tx, "ticket", token);
  if (!code) throw new Problem("ticket_forged");
  const ticket = await query(tx).maybeOne(sql<ScannedTicket>`
    select t.id, t.state, t.revision, t.used_at, o.title, c.name as category,
      p.name as holder, s.starts_at, o.company_id
    from ticket t join ticket_session s on s.id = t.session_id
    join ticket_event o on o.id = s.event_id join ticket_category c on c.id = t.category_id
    join person p on p.id = t.owner_id
    where t.id = ${code.id} for update of t`);
  if (!ticket) throw new Problem("ticket_forged");
  if (by !== null && ticket.companyId !== by.companyId) throw new Problem("ticket_elsewhere");
  if (ticket.usedAt) throw new Problem("ticket_used", { at: formatDateTime(ticket.usedAt) });
  if (ticket.state !== "issued" || ticket.revision !== code.revision) {
    throw new Problem(ticket.state === "expired" ? "ticket_late" : "ticket_revoked");
  }
  if (at < code.from) throw new Problem("ticket_early", { at: formatDateTime(code.from) });
  if (at > code.until) throw new Problem("ticket_late");
  await sql`update ticket set state = 'used', used_at = ${at}, used_by = ${by?.personId ?? null}, ended_at = ${at}
    where id = ${ticket.id}`.execute(tx);
  await revokeTicket(tx, ticket.id);
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

/** Admits a ticket scanned by the company of its event. */
export function scanTicket(call: CompanyCall<{ token: string }>): Promise<Admission> {
  const { deps, caller, company, input } = call;
  const by = { personId: caller.personId, companyId: company.companyId };
  return inCompanyTx(call, (tx) => admitTicket(tx, { ...input, at: deps.now(), by }));
}

/** Puts the code of a ticket on the revocation list. */
export async function revokeTicket(tx: Tx, id: string): Promise<void> {
  await revokeTicketCodes(tx, sql`t.id = ${id}`, sql`0`);
}

async function revokeTicketCodes(
  tx: Tx,
  which: RawBuilder<unknown>,
  firstGood: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ id: string; firstGood: number; startsAt: Date; endsAt: Date }>`
    select t.id, ${firstGood} as first_good, s.starts_at, s.ends_at
    from ticket t join ticket_session s on s.id = t.session_id where ${which}`.execute(tx);
  const codes = rows.map(({ id, firstGood: first, startsAt, endsAt }) => ({
    id,
    firstGood: first,
    until: codeValidity(startsAt, endsAt).until,
  }));
  await revokeCodes(tx, "ticket", codes);
}

/** When a card is opposed, revokes the QR codes of its person's tickets and issues new ones. */
export async function renewTicketCodes(
  tx: Tx,
  _deps: unknown,
  { personId }: { personId: number },
): Promise<void> {
  await sql`update ticket set revision = revision + 1
    where owner_id = ${personId} and state = 'issued' and revision < 65535`.execute(tx);
  await revokeTicketCodes(
    tx,
    sql`t.owner_id = ${personId} and t.state = 'issued'`,
    sql`t.revision`,
  );
}
