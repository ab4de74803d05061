// The statement of a company's month: its sales, the commission, the payouts, and the control that adds up
// every difference between lines, sums and ledger.
import { maskIban } from "#contract/companies/iban.ts";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { lists } from "#contract/limits.ts";
import type {
  SettlementAmounts,
  SettlementPayout,
  SettlementSourceSum,
  SettlementStatement,
} from "#contract/settlement/rows.ts";
import { payoutReference } from "#contract/settlement/states.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { owedCents } from "./accounts.ts";
import { settledUnder } from "./close.ts";

/** Settled months, newest first, by pages from the last one seen. */
export async function readSettlements(
  call: CompanyCall<{ before?: string | undefined; limit?: number | undefined }>,
): Promise<{ items: SettlementAmounts[]; next: string | null }> {
  const { companyId } = call.company;
  const { db } = call.deps;
  const { before = null, limit = lists.defaultLimit } = call.input;
  const { rows } = await sql<Omit<SettlementAmounts, "closedAt"> & { closedAt: Date }>`
    select s.month, s.closed_at, s.gross_cents,
      s.commission_cents + s.vat_cents as commission_cents,
      s.gross_cents - s.commission_cents - s.vat_cents as net_cents,
      (coalesce((select sum(p.amount_cents) from payout p
        where p.company_id = s.company_id and p.month = s.month), 0)
      - coalesce((select sum(p.amount_cents) from payout p
        where p.company_id = s.company_id and p.returned_month = s.month), 0))::bigint as paid_cents
    from settlement s
    where s.company_id = ${companyId} and (${before}::text is null or s.month < ${before})
    order by s.month desc limit ${limit + 1}`.execute(db);
  const { items, next } = pageOf(rows, limit, ({ month }) => month);
  return { items: items.map((one) => ({ ...one, closedAt: one.closedAt.toISOString() })), next };
}

/** The statement of a month of the caller's company; `not_found` for a month that is not settled. */
export async function readSettlement(
  call: CompanyCall<{ month: string }>,
): Promise<SettlementStatement> {
  const { companyId } = call.company;
  return await statementOf(call.deps.db, companyId, call.input.month);
}

/** Reads everything in one snapshot: a concurrent payout is in all of it or in none. */
export async function statementOf(
  db: Db,
  companyId: string,
  month: string,
): Promise<SettlementStatement> {
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (tx) => {
      const settled = await settlementRow(tx, companyId, month);
      const sources = await sumsBySource(tx, companyId, month);
      const payouts = await payoutsWhere(tx, companyId, { column: "month", month });
      const back = await payoutsWhere(tx, companyId, { column: "returned_month", month });
      const returned = back.filter(
        ({ reference }) => !payouts.some((one) => one.reference === reference),
      );
      const netCents = settled.grossCents - settled.commissionCents - settled.vatCents;
      const closingCents = settled.openingCents + netCents - sumOf(payouts) + sumOf(back);
      const nextOpening = await openingAfter(tx, companyId, month);
      const differences = [
        settled.grossCents - sources.reduce((sum, one) => sum + one.grossCents, 0),
        settled.commissionCents - sources.reduce((sum, one) => sum + one.commissionCents, 0),
        netCents - (await postedCents(tx, companyId, month)),
        closingCents - nextOpening,
      ];
      const { invoiceId, invoiceNumber, closedAt, ...sums } = settled;
      return {
        month,
        ...sums,
        closedAt: closedAt.toISOString(),
        sources,
        netCents,
        invoice: invoiceId && invoiceNumber ? { id: invoiceId, number: invoiceNumber } : null,
        payouts,
        returned,
        closingCents,
        controlCents: differences.reduce((sum, one) => sum + Math.abs(one), 0),
      };
    });
}

interface SettlementRow extends Pick<
  SettlementStatement,
  "openingCents" | "grossCents" | "commissionCents" | "vatCents" | "lines"
> {
  invoiceId: string | null;
  invoiceNumber: string | null;
  closedAt: Date;
}

async function settlementRow(db: Db, companyId: string, month: string): Promise<SettlementRow> {
  const found = await query(db).maybeOne(sql<SettlementRow>`
    select opening_cents, gross_cents,
      commission_cents, vat_cents, lines,
      invoice_id, invoice_number, closed_at
    from settlement where company_id = ${companyId} and month = ${month}`);
  if (!found) throw new Problem("not_found");
  return found;
}

async function sumsBySource(
  db: Db,
  companyId: string,
  month: string,
): Promise<SettlementSourceSum[]> {
  const cents = (kind: string) =>
    sql`coalesce(sum(gross_cents) filter (where kind = ${kind}), 0)::bigint`;
  const { rows } = await sql<SettlementSourceSum>`
    select source, (count(*) filter (where kind = 'sale'))::int as sales,
      ${cents("sale")} as sales_cents, ${cents("return")} as returns_cents,
      ${cents("correction")} as corrections_cents, sum(gross_cents)::bigint as gross_cents,
      sum(commission_cents)::bigint as commission_cents
    from settlement_line where company_id = ${companyId} and month = ${month}
    group by source order by source`.execute(db);
  return rows;
}

interface PayoutRow extends Omit<SettlementPayout, "reference" | "madeAt" | "answeredAt"> {
  batch: number;
  place: number;
  madeAt: Date;
  answeredAt: Date | null;
}

async function payoutsWhere(
  db: Db,
  companyId: string,
  { column, month }: { column: "month" | "returned_month"; month: string },
): Promise<SettlementPayout[]> {
  const { rows } = await sql<PayoutRow>`
    select p.batch, p.place, p.amount_cents, p.state, p.reason,
      b.made_at, to_char(b.execute_on, 'YYYY-MM-DD') as execute_on,
      p.returned_month is not distinct from ${month} as returned_here,
      p.answered_at, p.creditor ->> 'iban' as iban
    from payout p join payout_batch b on b.number = p.batch
    where p.company_id = ${companyId} and p.${sql.ref(column)} = ${month}
    order by p.batch`.execute(db);
  return rows.map(({ batch, place, ...one }) => ({
    ...one,
    reference: payoutReference({ batch, place }),
    iban: maskIban(one.iban),
    madeAt: one.madeAt.toISOString(),
    answeredAt: one.answeredAt?.toISOString() ?? null,
  }));
}

const sumOf = (payouts: readonly SettlementPayout[]): number =>
  payouts.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** The balance owed after the month by the ledger: at the next closing, else now. */
async function openingAfter(db: Db, companyId: string, month: string): Promise<number> {
  const found = await query(db).maybeOne(sql<{ cents: number }>`
    select opening_cents as cents from settlement
    where company_id = ${companyId} and month > ${month} order by month limit 1`);
  return found?.cents ?? (await owedCents(db, companyId));
}

/** The amount that the closing posted to the company's account, less its deductions. */
async function postedCents(db: Db, companyId: string, month: string): Promise<number> {
  const { cents } = await query(db).one(sql<{ cents: number }>`
    select coalesce(sum(case when t.credit_account = s.account_id then t.amount
      else -t.amount end), 0)::bigint as cents
    from settlement_account s join transfer t on t.key = ${settledUnder(companyId, month)}
      and s.account_id in (t.credit_account, t.debit_account)
    where s.company_id = ${companyId}`);
  return cents;
}
