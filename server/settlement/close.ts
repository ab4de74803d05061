// Closes a month: collects its lines, then settles each company in a transaction of its own. Completed steps
// are kept: a closing that was stopped, even killed, resumes where it was. A company that cannot be settled
// keeps its month open and delays no other company.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { vatOf } from "#contract/invoices/vat.ts";
import type { SettlementSource } from "#contract/settlement/states.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { lockedBalances, post, type Transfer } from "#server/ledger/ledger.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { companyAccount } from "./accounts.ts";
import { announceSettled } from "./announcements.ts";
import { type ClosingMonth, closingMonth, collectLines, sourceAccounts } from "./collect.ts";
import { commissionVat, invoiceCommission } from "./commission-invoice.ts";

export type CloseDeps = Pick<OperatorDeps, "db" | "now" | "send" | "config">;

/** Progress of a closing, reported after each chunk and each company. */
export type CloseProgress =
  | { phase: "lines"; read: number; written: number }
  | { phase: "companies"; done: number; of: number };

export interface Closed {
  month: string;
  companies: number;
  lines: number;
  grossCents: number;
  /** With VAT. */
  commissionCents: number;
  /** False when the month was closed already and nothing was done. */
  now: boolean;
  /** Companies that could not be settled; the month stays open until all are. */
  failures: readonly SettlementFailure[];
}

/** A company whose month could not be settled, and why. */
export interface SettlementFailure {
  company: string;
  /** YYYY-MM; it may be earlier than the month that is closed. */
  month: string;
  error: unknown;
}

/** Transfers that one statement reads: bounds the memory of a closing whatever the size of the month. */
const chunk = 5000;
const companiesAtOnce = 100;

/**
 * Closes a month, YYYY-MM; repeating it changes nothing, after a kill it resumes. Refuses
 * `settlement_running` for a month that is not over, `settlement_order` for one before a closed one.
 */
export async function closeMonth(
  deps: CloseDeps,
  options: {
    month: string;
    operator: string;
    progress?: (at: CloseProgress) => void;
    chunk?: number;
  },
): Promise<Closed> {
  const { month, operator, progress = () => undefined } = options;
  const closing = closingMonth(month);
  const state = await inTx(deps.db, (tx) => beginMonth(tx, deps, closing, operator));
  if (!state.collected) {
    await collectLines(deps.db, closing, {
      chunk: options.chunk ?? chunk,
      progress: (sum) => progress({ phase: "lines", ...sum }),
    });
    await sql`update settlement_month set collected_at = ${deps.now()}
      where month = ${month} and collected_at is null`.execute(deps.db);
  }
  const { settled, failures } = await settleCompanies(deps, month, progress);
  await sql`update settlement_month o set closed_at = ${deps.now()}
    where ${isOpen(month)} and not exists (select from settlement_line l
      where l.month = o.month and ${unsettled})`.execute(deps.db);
  return {
    ...(await sumOf(deps, month)),
    month,
    now: !state.closed || settled > 0,
    failures,
  };
}

/** Thrown to roll back the transaction of a preview. */
class PreviewRollback extends Error {}

export interface SettlementPreview {
  company: string;
  lines: number;
  grossCents: number;
  /** Without VAT. */
  commissionCents: number;
  /** Null where the month refunds more commission than it takes: the credit notes will compute it. */
  vatCents: number | null;
}

/**
 * Previews the closing of a month, company by company; everything is rolled back. Refuses as `closeMonth`;
 * obstacles to invoicing a company show at the closing only.
 */
export async function previewMonth(
  deps: CloseDeps,
  { month, operator }: { month: string; operator: string },
): Promise<SettlementPreview[]> {
  let foreseen: SettlementPreview[] = [];
  const closing = closingMonth(month);
  try {
    await inTx(deps.db, async (tx) => {
      const { collected } = await beginMonth(tx, deps, closing, operator);
      if (!collected) await collectLines(tx, closing, { chunk, progress: () => undefined });
      const { rows } = await sql<Omit<SettlementPreview, "vatCents">>`
        select c.name as company, count(*)::int as lines, sum(l.gross_cents)::bigint as gross_cents,
          sum(l.commission_cents)::bigint as commission_cents
        from settlement_line l join company c on c.id = l.company_id
        where l.month = ${month} and ${unsettled}
        group by c.id order by c.name collate "fr-x-icu", c.id`.execute(tx);
      foreseen = rows.map((row) => ({ ...row, vatCents: previewVat(row.commissionCents) }));
      throw new PreviewRollback();
    });
  } catch (error) {
    if (!(error instanceof PreviewRollback)) throw error;
  }
  return foreseen;
}

const previewVat = (commissionCents: number): number | null =>
  commissionCents < 0 ? null : vatOf(commissionCents, commissionVat);

/** A month `o` whose lines are all collected and that is not closed, up to the given one. */
const isOpen = (month: string) =>
  sql<boolean>`o.month <= ${month} and o.collected_at is not null and o.closed_at is null`;

const unsettled = sql<boolean>`not exists (select from settlement s
  where s.company_id = l.company_id and s.month = l.month)`;

/** Records that the month is being closed; concurrent closings wait for each other here. */
async function beginMonth(
  tx: Tx,
  { now }: CloseDeps,
  { month, end }: ClosingMonth,
  operator: string,
): Promise<{ collected: boolean; closed: boolean }> {
  const at = now();
  if (at < end) throw new Problem("settlement_running", { month });
  const { rows: later } = await sql`
    select from settlement_month where month > ${month} and closed_at is not null`.execute(tx);
  await sql`insert into settlement_month (month, started_at, closed_by)
    select ${month}, ${at}, ${operator} where ${later.length === 0}::boolean
    on conflict do nothing`.execute(tx);
  const found = await query(tx).maybeOne(sql<{ collected: boolean; closed: boolean }>`
    select collected_at is not null as collected, closed_at is not null as closed
    from settlement_month where month = ${month}`);
  if (!found) throw new Problem("settlement_order", { month });
  return found;
}

/**
 * Settles the open months, each company's in their order; answers how many companies were settled, and the
 * failures.
 */
async function settleCompanies(
  deps: CloseDeps,
  month: string,
  progress: (at: CloseProgress) => void,
): Promise<{ settled: number; failures: SettlementFailure[] }> {
  const counted = await query(deps.db).one(sql<{ done: number; of: number }>`
    select count(*)::int as of, count(s.id)::int as done
    from (select distinct company_id from settlement_line where month = ${month}) l
    left join settlement s on s.company_id = l.company_id and s.month = ${month}`);
  const { of } = counted;
  let { done } = counted;
  const failures: SettlementFailure[] = [];
  let settled = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await sql<{ companyId: string; company: string; months: string[] }>`
      select l.company_id, c.name as company,
        array_agg(distinct l.month order by l.month) as months
      from settlement_month o join settlement_line l on l.month = o.month
      join company c on c.id = l.company_id
      where ${isOpen(month)} and l.company_id > ${after}::uuid and ${unsettled}
      group by l.company_id, c.name order by l.company_id limit ${companiesAtOnce}`.execute(
      deps.db,
    );
    const last = rows.at(-1);
    if (!last) return { settled, failures };
    after = last.companyId;
    for (const { months, ...owner } of rows) {
      const failure = await settleMonths(deps, owner, months);
      if (failure) failures.push(failure);
      else settled += 1;
      if (!failure && months.includes(month)) done += 1;
      progress({ phase: "companies", done, of });
    }
  }
}

/** Settles months of a company in their order; stops at the first that fails, and answers it. */
async function settleMonths(
  deps: CloseDeps,
  { companyId, company }: { companyId: string; company: string },
  months: readonly string[],
): Promise<SettlementFailure | null> {
  for (const month of months) {
    try {
      await inTx(deps.db, (tx) => settleCompany(tx, deps, { month, companyId }));
    } catch (error) {
      return { company, month, error };
    }
  }
  return null;
}

interface SourceTotal {
  source: SettlementSource;
  grossCents: number;
  commissionCents: number;
  lines: number;
}

const total = (sums: readonly SourceTotal[], what: "grossCents" | "commissionCents" | "lines") =>
  sums.reduce((sum, one) => sum + one[what], 0);

/** The key under which a company's month is posted, only once. */
export const settledUnder = (companyId: string, month: string): string =>
  `settlement:${companyId}:${month}`;

/**
 * Settles the lines of a company: one invoice, one group of transfers, one row; repeating it does nothing.
 */
async function settleCompany(
  tx: Tx,
  deps: CloseDeps,
  { month, companyId }: { month: string; companyId: string },
): Promise<void> {
  const account = await companyAccount(tx, companyId);
  const { rows: before } = await sql`
    select from settlement where company_id = ${companyId} and month = ${month}`.execute(tx);
  if (before.length > 0) return;
  const sums = await sumLines(tx, companyId, month);
  const at = deps.now();
  const openingCents = (await lockedBalances(tx, [account]))[0]?.balanceCents ?? 0;
  const [grossCents, commissionCents] = [total(sums, "grossCents"), total(sums, "commissionCents")];
  const { id: settlementId } = await query(tx).one(sql<{ id: string }>`
    insert into settlement (company_id, month, opening_cents, gross_cents, commission_cents,
      vat_cents, lines, closed_at)
    values (${companyId}, ${month}, ${openingCents}, ${grossCents}, ${commissionCents}, 0,
      ${total(sums, "lines")}, ${at}) returning id`);
  const commission = { settlementId, companyId, month, cents: commissionCents, at };
  const invoice = await invoiceCommission(tx, deps, commission);
  const { id, number, vatCents } = invoice;
  await sql`update settlement set vat_cents = ${vatCents}, invoice_id = ${id},
    invoice_number = ${number} where id = ${settlementId}`.execute(tx);
  await post(tx, await transfersOf(tx, { companyId, account, month, sums, invoice, at }));
  const netCents = grossCents - commissionCents - vatCents;
  await announceSettled(tx, deps, { companyId, month, netCents, at });
}

async function sumLines(tx: Tx, companyId: string, month: string): Promise<SourceTotal[]> {
  const { rows } = await sql<SourceTotal>`
    select source, sum(gross_cents)::bigint as gross_cents,
      sum(commission_cents)::bigint as commission_cents, count(*)::int as lines
    from settlement_line where company_id = ${companyId} and month = ${month}
    group by source order by source`.execute(tx);
  return rows;
}

interface Posting {
  companyId: string;
  account: number;
  month: string;
  sums: readonly SourceTotal[];
  invoice: { number: string | null; vatCents: number };
  at: Date;
}

/** From the scheme's accounts to the company's, and the commission out of it. */
async function transfersOf(tx: Tx, posting: Posting): Promise<Transfer[]> {
  const { companyId, account, month, sums, invoice, at } = posting;
  const key = settledUnder(companyId, month);
  const move = (from: number, to: number, cents: number, kind: string, more = {}): Transfer[] =>
    cents === 0
      ? []
      : [
          {
            key,
            debitAccount: cents > 0 ? from : to,
            creditAccount: cents > 0 ? to : from,
            amountCents: Math.abs(cents),
            kind,
            memo: { month, ...more },
            at,
          },
        ];
  const { number, vatCents } = invoice;
  const named = number === null ? {} : { invoice: number };
  const [commissions, vat] = [
    await schemeAccount(tx, "commissions"),
    await schemeAccount(tx, "vat"),
  ];
  const gross: Transfer[] = [];
  for (const { source, grossCents } of sums) {
    const from = await schemeAccount(tx, sourceAccounts[source]);
    gross.push(...move(from, account, grossCents, "settlement", { source }));
  }
  const commissionCents = total(sums, "commissionCents");
  return [
    ...gross,
    ...move(account, commissions, commissionCents, "commission", named),
    ...move(account, vat, vatCents, "vat", named),
  ];
}

type Sums = Omit<Closed, "month" | "now" | "failures">;

async function sumOf({ db }: CloseDeps, month: string): Promise<Sums> {
  return await query(db).one(sql<Sums>`
    select count(*)::int as companies, coalesce(sum(lines), 0)::int as lines,
      coalesce(sum(gross_cents), 0)::bigint as gross_cents,
      coalesce(sum(commission_cents + vat_cents), 0)::bigint as commission_cents
    from settlement where month = ${month}`);
}

/** The last settled month of a company; null before its first. */
export async function lastSettledMonth(tx: Tx, companyId: string): Promise<string | null> {
  const { month } = await query(tx).one(sql<{ month: string | null }>`
    select max(month) as month from settlement where company_id = ${companyId}`);
  return month;
}

/** The month before the current one, YYYY-MM, which an operator closes next. */
export function monthToClose(now: Date): string {
  const [year = 0, month = 1] = parisDay(now).split("-").map(Number);
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, "0")}`;
}
