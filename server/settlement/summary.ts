// What a company is owed now: on its account of the ledger, at the bank, and in the month that runs.
import { maskedIban } from "#contract/companies/iban.ts";
import { sql } from "kysely";
import { firstOfMonth, startOfDay } from "#contract/days.ts";
import type { SettlementSummary } from "#contract/settlement/rows.ts";
import type { SettlementSource } from "#contract/settlement/states.ts";
import { bankAccountFor } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { owedCents } from "./accounts.ts";
import { holdOf } from "./payouts.ts";
import { requireMoney } from "./statement.ts";

/** The caller's company now. Amounts in cents. */
export async function readSummary(call: PersonCall<unknown>): Promise<SettlementSummary> {
  const { companyId } = await requireMoney(call);
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
    iban: account ? maskedIban(account.iban) : null,
  };
}

async function inTransitCents(db: Db, companyId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from payout
    where company_id = ${companyId} and state = 'sent'`.execute(db);
  return rows[0]?.cents ?? 0;
}

/** What the rooms say was sold since the last closed month; the closing finds it in the ledger. */
async function runningOf(
  db: Db,
  companyId: string,
  at: Date,
): Promise<SettlementSummary["running"]> {
  const { rows: closed } = await sql<{ month: string | null }>`
    select max(month) as month from settlement_month where closed_at is not null`.execute(db);
  const since = closed[0]?.month ? firstOfMonth(`${closed[0].month}-01`, 1) : null;
  const from = since === null ? new Date(0) : startOfDay(since);
  const day = since ?? "1970-01-01";
  const { rows } = await sql<{ source: SettlementSource; grossCents: number }>`
    select source, sum(cents)::bigint as "grossCents" from (
      select 'till' as source, s.amount_cents - s.discount_cents as cents
      from till_sale s join partner p on p.id = s.partner_id
      where p.company_id = ${companyId} and s.paid_at >= ${from}
      union all
      select 'till', -r.amount_cents from till_return r join till_sale s on s.id = r.sale_id
      join partner p on p.id = s.partner_id where p.company_id = ${companyId} and r.at >= ${from}
      union all
      select 'meal', o.charged_cents from meal_order o join canteen c on c.id = o.canteen_id
      join canteen_provider v on v.id = c.provider_id join partner p on p.id = v.partner_id
      where p.company_id = ${companyId} and o.on_day >= ${day}::date and o.charged_cents is not null
      union all
      select 'ticket', case when k.state = 'cancelled'
        then k.price_cents - coalesce(k.refund_cents, k.price_cents) else k.price_cents end
      from company_member m join ticket_event e on e.partner_id = m.person_id
      join ticket_session s on s.event_id = e.id join ticket k on k.session_id = s.id
      where m.company_id = ${companyId} and k.issued_at is not null and (
        k.state = 'used' and least(k.used_at, s.ends_at) >= ${from}
        or k.state in ('expired', 'cancelled') and s.ends_at >= ${from} and s.ends_at < ${at})
      union all
      select 'pass', b.price_cents + coalesce(b.late_fee_cents, 0) from fare_group n
      join fare_product f on f.group_id = n.group_id join pass_order b on b.product_id = f.id
      where n.company_id = ${companyId} and b.paid_at >= ${from}
    ) sold group by source having sum(cents) <> 0 order by source`.execute(db);
  const grossCents = rows.reduce((sum, one) => sum + one.grossCents, 0);
  return { since, sources: rows, grossCents };
}
