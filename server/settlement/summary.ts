// The amounts owed to a company now: on its ledger account, at the bank, and in the current month.
import { maskIban } from "#contract/companies/iban.ts";
import { sql } from "kysely";
import type { SettlementSummary, SheetTerms } from "#contract/settlement/rows.ts";
import type { SettlementSource } from "#contract/settlement/states.ts";
import { bankAccountFor } from "#server/companies/companies.ts";
import { type Db, prepared } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { termsOfCompany } from "#server/partners/partners.ts";
import { owedCents } from "./accounts.ts";
import { correctionsSince } from "./collect.ts";
import { holdOf } from "./payouts.ts";

/** Summary of the caller's company now. Amounts in cents. */
export async function readSummary(call: CompanyCall<unknown>): Promise<SettlementSummary> {
  const { companyId } = call.company;
  const { db, now } = call.deps;
  const at = now();
  const [owed, sentCents, running, account] = await Promise.all([
    owedCents(db, companyId),
    inTransitCents(db, companyId),
    runningOf(db, companyId, at),
    bankAccountFor(db, companyId, at),
  ]);
  const hold = holdOf(account, at);
  return {
    owedCents: owed,
    sentCents,
    running,
    hold,
    holdUntil: hold === "frozen" ? (account?.frozenUntil?.toISOString() ?? null) : null,
    iban: account ? maskIban(account.iban) : null,
  };
}

/** The terms of the sheets of the caller's company. */
export async function readTerms(call: CompanyCall<unknown>): Promise<{ items: SheetTerms[] }> {
  const { companyId } = call.company;
  return { items: await termsOfCompany(call.deps.db, companyId) };
}

async function inTransitCents(db: Db, companyId: string): Promise<number> {
  const { cents } = await query(db).one(sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from payout
    where company_id = ${companyId} and state = 'sent'`);
  return cents;
}

/**
 * Sales by the rooms' own tables since the last closed month, less the reversals by two operators; the
 * closing will find them in the ledger.
 */
async function runningOf(
  db: Db,
  companyId: string,
  at: Date,
): Promise<SettlementSummary["running"]> {
  const { since, sources } = await query(db).one(sql<{
    since: string | null;
    sources: { source: SettlementSource; grossCents: number }[];
  }>`${prepared("settlement-running")}
    with closed as materialized (
      select (to_date(max(month), 'YYYY-MM') + interval '1 month')::date as since
      from settlement_month where closed_at is not null),
    span as materialized (
      select coalesce(since, '1970-01-01') as day,
        coalesce(since::timestamp at time zone 'Europe/Paris', to_timestamp(0)) as start from closed)
    select closed.since, coalesce((
      select json_agg(json_build_object('source', source, 'grossCents', cents) order by source)
      from (select source, sum(cents)::bigint as cents from (${soldSince(companyId, at)}
          union all ${correctionsSince(companyId)}) sold
        group by source having sum(cents) <> 0) one), '[]') as sources
    from closed`);
  return { since, sources, grossCents: sources.reduce((sum, one) => sum + one.grossCents, 0) };
}

/** SQL: sales of each room since the `span`, one sum for each, null where there were none. */
const soldSince = (companyId: string, at: Date) => sql`
  select 'till' as source, sum(s.amount_cents - s.discount_cents) as cents
  from span, partner p join till_sale s on s.partner_id = p.id
  where p.company_id = ${companyId} and s.paid_at >= span.start
  union all
  select 'till', -sum(r.amount_cents) from span, till_return r
  join till_sale s on s.id = r.sale_id join partner p on p.id = s.partner_id
  where p.company_id = ${companyId} and r.at >= span.start
  union all
  select 'meal', sum(o.charged_cents) from span, partner p
  join canteen_provider v on v.partner_id = p.id join canteen c on c.provider_id = v.id
  join meal_order o on o.canteen_id = c.id
  where p.company_id = ${companyId} and o.on_day >= span.day and o.charged_cents is not null
  union all
  select 'ticket', sum(case when k.state = 'cancelled'
    then k.price_cents - coalesce(k.refund_cents, k.price_cents) else k.price_cents end)
  from span, ticket_event e
  join ticket_session s on s.event_id = e.id join ticket k on k.session_id = s.id
  where e.company_id = ${companyId} and k.issued_at is not null and (
    k.state = 'used' and least(k.used_at, s.ends_at) >= span.start
    or k.state in ('expired', 'cancelled') and s.ends_at >= span.start and s.ends_at < ${at})
  union all
  select 'pass', sum(b.price_cents + coalesce(b.late_fee_cents, 0)) from span, fare_group n
  join fare_product f on f.group_id = n.group_id join pass_order b on b.product_id = f.id
  where n.company_id = ${companyId} and b.paid_at >= span.start
    and (n.company_since is null or b.paid_at >= n.company_since)`;
