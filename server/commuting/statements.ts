// The months of companies: once a month is over, each is invoiced for the shares of the passes bought in it.
// The shares bear the network's VAT; a cent that no amount with VAT can reach is carried to the next month.
import { sql } from "kysely";
import { addDays, firstOfMonth, parisDay, startOfDay } from "#contract/days.ts";
import { formatMonth, plural } from "#contract/french.ts";
import { commuting as limits } from "#contract/commuting/limits.ts";
import { vatOf } from "#contract/invoices/vat.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { eachRow } from "#server/db/each-row.ts";
import { query } from "#server/db/query.ts";
import { issueInvoice } from "#server/invoices/invoices.ts";
import { post } from "#server/ledger/ledger.ts";
import type { Deps } from "#server/process/deps.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";

/** Passenger transport (article 279 b quater of the tax code). */
const vat = "intermediate";

interface Month {
  companyId: string;
  /** Its first day. */
  month: string;
}

/** A company and its months that are over and not invoiced, in order. */
interface OpenCompany {
  id: string;
  months: string[];
}

/**
 * Job: closes the months that are over and invoices them, `atOnce` companies read together. A company whose
 * invoice cannot be issued keeps its month open for the next run, and does not delay any other company.
 */
export async function invoiceMonths(deps: Deps, atOnce?: { atOnce: number }): Promise<void> {
  const before = startOfDay(firstOfMonth(parisDay(deps.now())));
  const failures: unknown[] = [];
  const invoice = async ({ id: companyId, months }: OpenCompany) => {
    for (const month of months) {
      try {
        await inTx(deps.db, (tx) => invoiceMonth(tx, deps, { companyId, month }));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await eachRow(
    (after: string | null, limit) => openCompanies(deps.db, { before, after, limit }),
    invoice,
    atOnce,
  );
  if (failures.length > 0) throw new AggregateError(failures, "months of employers left open");
}

async function openCompanies(
  db: Db,
  { before, after, limit }: { before: Date; after: string | null; limit: number },
): Promise<OpenCompany[]> {
  const { rows } = await sql<OpenCompany>`
    select company_id as id, array_agg(month::text order by month) as months
    from (select distinct p.company_id, date_trunc('month', paris_day(b.bought_at))::date as month
      from commuting_purchase b join commuting_enrolment e on e.id = b.enrolment_id
      join commuting_plan p on p.id = e.plan_id
      where b.statement_id is null and b.bought_at < ${before}
        and (${after}::uuid is null or p.company_id > ${after}::uuid)) open
    group by company_id order by company_id limit ${limit}`.execute(db);
  return rows;
}

async function invoiceMonth(tx: Tx, deps: Deps, { companyId, month }: Month): Promise<void> {
  await sql`select from company where id = ${companyId} for no key update`.execute(tx);
  const end = startOfDay(firstOfMonth(month, 1));
  const at = deps.now();
  const { rows: products } = await sql<{ name: string; count: number; cents: number }>`
    select b.product_name as name, count(*)::int as count, sum(b.employer_cents)::bigint as cents
    from commuting_purchase b join commuting_enrolment e on e.id = b.enrolment_id
    join commuting_plan p on p.id = e.plan_id
    where p.company_id = ${companyId} and b.statement_id is null
      and b.bought_at >= ${startOfDay(month)} and b.bought_at < ${end}
    group by b.product_name order by b.product_name`.execute(tx);
  const sum = (key: "count" | "cents") => products.reduce((total, one) => total + one[key], 0);
  const carriedCents = await readCarriedCents(tx, companyId, month);
  const hasVat = deps.config.issuer?.vatRegime !== "franchise";
  const net = netOf(sum("cents") + carriedCents, hasVat);
  if (products.length === 0 || net.cents === 0) return;
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into commuting_statement (company_id, month, purchases, employer_cents, carried_cents,
      invoiced_cents, issued_at)
    values (${companyId}, ${month}, ${sum("count")}, ${sum("cents")}, ${carriedCents},
      ${net.withVatCents}, ${at}) returning id`);
  await sql`update commuting_purchase b set statement_id = ${id}
    from commuting_enrolment e join commuting_plan p on p.id = e.plan_id
    where e.id = b.enrolment_id and p.company_id = ${companyId} and b.statement_id is null
      and b.bought_at >= ${startOfDay(month)} and b.bought_at < ${end}`.execute(tx);
  const issuedOn = parisDay(at);
  const invoice = await issueInvoice(tx, deps, {
    companyId,
    kind: "invoice",
    subject: { kind: "commuting", id },
    lines: linesOf(products, net.cents, month),
    issuedOn,
    dueOn: addDays(issuedOn, limits.dueDays),
    period: { from: month, to: addDays(firstOfMonth(month, 1), -1) },
  });
  await sql`update commuting_statement set invoice_id = ${invoice.id} where id = ${id}`.execute(tx);
}

/** Amount left over from the month before: a cent at most. */
async function readCarriedCents(tx: Tx, companyId: string, month: string): Promise<number> {
  const found = await query(tx).maybeOne(sql<{ cents: number }>`
    select employer_cents + carried_cents - invoiced_cents as cents from commuting_statement
    where company_id = ${companyId} and month < ${month}::date
    order by month desc limit 1`);
  return found?.cents ?? 0;
}

/** The largest amount without VAT that is, with it, not above a total. */
export function netOf(
  totalCents: number,
  hasVat: boolean,
): { cents: number; withVatCents: number } {
  if (!hasVat) return { cents: totalCents, withVatCents: totalCents };
  const withVat = (cents: number) => cents + vatOf(cents, vat);
  let cents = Math.ceil((totalCents * 10) / 11) + 1;
  while (withVat(cents) > totalCents) cents -= 1;
  return { cents, withVatCents: withVat(cents) };
}

/** A line for each pass; the last bears what rounding leaves. */
function linesOf(
  products: readonly { name: string; count: number; cents: number }[],
  netCents: number,
  month: string,
) {
  const total = products.reduce((sum, { cents }) => sum + cents, 0);
  let left = netCents;
  return products.map(({ name, count, cents }, place) => {
    const last = place === products.length - 1;
    const unitCents = last ? left : Math.floor((netCents * cents) / total);
    left -= unitCents;
    const what = plural(count, "titre");
    const label = `Part employeur, ${name}, ${what}, ${formatMonth(month)}`;
    return { label, quantity: 1, unitCents, vat } as const;
  });
}

/**
 * Job: payments of these invoices settle what the companies owe for passes. A payment counts once, however
 * often this runs.
 */
export async function clearPaidMonths(deps: Deps): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select s.id from commuting_statement s
    where s.cleared_cents < (select coalesce(sum(amount_cents), 0) from invoice_payment i
      where i.invoice_id = s.invoice_id and i.means <> 'credit') limit 500`.execute(deps.db);
  for (const { id } of rows) {
    await inTx(deps.db, async (tx) => {
      await sql`select from commuting_statement where id = ${id} for update`.execute(tx);
      const { paidCents, clearedCents } = await query(tx).one(sql<{
        paidCents: number;
        clearedCents: number;
      }>`
        select s.cleared_cents, (select coalesce(sum(amount_cents), 0)::bigint
          from invoice_payment i where i.invoice_id = s.invoice_id and i.means <> 'credit')
          as paid_cents
        from commuting_statement s where s.id = ${id}`);
      if (paidCents <= clearedCents) return;
      await post(tx, [
        {
          key: `commuting-paid:${id}:${paidCents}`,
          debitAccount: await schemeAccount(tx, "invoices"),
          creditAccount: await schemeAccount(tx, "employers"),
          amountCents: paidCents - clearedCents,
          kind: "employer_share",
          memo: { label: "Parts d’employeur payées" },
          at: deps.now(),
        },
      ]);
      await sql`update commuting_statement set cleared_cents = ${paidCents}
        where id = ${id}`.execute(tx);
    });
  }
}
