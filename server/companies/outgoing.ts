// Commitments of a company in a day, the sum that decides whether its people need a code: for grants, orders
// of cards and invoices alike.
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";

const spanMs = 24 * 3_600_000;

/**
 * Cents that a company granted, ordered and paid of invoices in the 24 h before `at`, this operation
 * included, from a wallet or on credit. Refunds since then do not lower it. Two calls for one company wait
 * for one another here.
 */
export async function companyOutgoingCents(tx: Tx, companyId: string, at: Date): Promise<number> {
  const since = new Date(at.getTime() - spanMs);
  // Not a lock on the company's row: some calls lock it before what is paid, others after.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`company outgoing ${companyId}`}, 0))`.execute(
    tx,
  );
  // The arrival of an awaited transfer is no action of today: its grant is left out.
  const { cents } = await query(tx).one(sql<{ cents: number }>`
    select coalesce(sum(cents), 0)::bigint as cents from (
      select total_cents as cents from company_grant
      where company_id = ${companyId} and granted_at > ${since}
        and (reference is null or granted_at = transfer_requested_at)
      union all
      select (price ->> 'totalCents')::bigint from card_order
      where company_id = ${companyId} and ordered_at > ${since}
      union all
      select p.amount_cents from invoice i join invoice_payment p on p.invoice_id = i.id
      where i.company_id = ${companyId} and i.kind = 'invoice' and p.means = 'checkout'
        and p.at > ${since}) committed`);
  return cents;
}
