// Reads of invoices: as rows, and as the people of the company see them.
import { type RawBuilder, sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { invoices as limits } from "#contract/invoices/limits.ts";
import type { Invoice, InvoiceFilter, ListedInvoice } from "#contract/invoices/rows.ts";
import {
  documentStateNames,
  invoiceCan,
  invoiceKindNames,
  paymentStateName,
  paymentStateOf,
  type SettlementMeans,
} from "#contract/invoices/states.ts";
import { lists } from "#contract/limits.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { csvOf, decimal, plain } from "#server/http/csv.ts";
import { csv } from "#server/http/document.ts";
import type { CompanyHome, CompanyHomePart } from "#server/portal/portal.ts";
import type { InvoiceDocument } from "./e-invoice.ts";

export interface InvoiceRow extends InvoiceDocument {
  id: string;
  place: number;
  issuedAt: Date;
  companyId: string;
  settledCents: number;
  creditedCents: number;
  correctsId: string | null;
  subjectKind: "card_order" | "commission" | "commuting" | "other";
}

const columns = sql`i.id, i.place, i.company_id, i.kind, i.number, i.reference,
  i.corrects_id, i.issued_on, i.due_on,
  i.net_cents, i.vat_cents, i.total_cents,
  i.issued_at, i.prepaid_cents, i.due_cents, i.content,
  i.subject_kind, b.settled_cents, b.credited_cents`;

/** Documents under `condition`; `rest` orders, limits or locks them. */
export async function invoicesWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
): Promise<InvoiceRow[]> {
  const { rows } = await sql<InvoiceRow>`
    select ${columns} from invoice i join invoice_balance b on b.invoice_id = i.id
    where ${condition} ${rest}`.execute(db);
  return rows;
}

/** A document of a company; `not_found` for any other. */
export async function requireInvoice(db: Db, companyId: string, id: string): Promise<InvoiceRow> {
  const [row] = await invoicesWhere(db, sql`i.id = ${id} and i.company_id = ${companyId}`);
  if (!row) throw new Problem("not_found");
  return row;
}

export const openCentsOf = ({ dueCents, settledCents }: InvoiceRow): number =>
  dueCents - settledCents;

export function toListed(row: InvoiceRow): ListedInvoice {
  const { id, number, kind, issuedOn, dueOn, totalCents, content, correctsId } = row;
  const credited = kind === "invoice" && totalCents > 0 && row.creditedCents === totalCents;
  return {
    id,
    number,
    kind,
    document: credited ? "credited" : "issued",
    payment: paymentStateOf(row.dueCents, row.settledCents),
    label: content.lines[0]?.label ?? "",
    issuedOn,
    dueOn,
    totalCents,
    openCents: openCentsOf(row),
    corrects:
      correctsId && content.corrects ? { id: correctsId, number: content.corrects.number } : null,
  };
}

/** Documents under a filter, as of a day. */
function filterCondition(
  companyId: string,
  { state, year }: { state?: InvoiceFilter | undefined; year?: number | undefined },
  today: string,
): RawBuilder<unknown> {
  const open = sql`i.kind = 'invoice' and b.settled_cents < b.due_cents`;
  const states: Readonly<Record<InvoiceFilter, RawBuilder<unknown>>> = {
    open,
    late: sql`${open} and i.due_on < ${today}::date`,
    paid: sql`i.kind = 'invoice' and b.settled_cents = b.due_cents`,
    credit_notes: sql`i.kind = 'credit_note'`,
  };
  return sql`i.company_id = ${companyId} and ${state ? states[state] : sql`true`}
    and (${year ?? null}::int is null or i.year = ${year ?? null}::int)`;
}

interface InvoiceQuery {
  state?: InvoiceFilter | undefined;
  year?: number | undefined;
}

/** The documents of the caller's company, newest first, by pages after the last one seen. */
export async function listInvoices({
  deps,
  company: { companyId },
  input,
}: CompanyCall<InvoiceQuery & { before?: number | undefined; limit?: number | undefined }>) {
  const { db } = deps;
  const today = parisDay(deps.now());
  const limit = input.limit ?? lists.defaultLimit;
  const condition = filterCondition(companyId, input, today);
  const after = input.before === undefined ? sql`true` : sql`i.place < ${input.before}`;
  const found = await invoicesWhere(
    db,
    sql`${condition} and ${after}`,
    sql`order by i.place desc limit ${limit + 1}`,
  );
  const { items, next } = pageOf(found, limit, ({ place }) => place);
  const { rows: years } = await sql<{ year: number }>`
    select distinct year from invoice where company_id = ${companyId} order by year desc`.execute(
    db,
  );
  return {
    items: items.map(toListed),
    next,
    years: years.map(({ year }) => year),
    ...(await owedBy(db, companyId, today)),
  };
}

/** Invoices on a company's home page, for roles that see its money: the amount to pay. */
export async function invoicesHome({
  db,
  companyId,
  roles,
  at,
}: CompanyHome): Promise<CompanyHomePart> {
  if (!companyCan.seeMoney(roles)) return {};
  const { toPay, late } = await owedBy(db, companyId, parisDay(at));
  const { count } = toPay;
  if (count === 0) return {};
  const isLate = late.count === 0 ? "" : `, dont ${formatMoney(late.cents)} en retard`;
  const what = `${formatMoney(toPay.cents)}${isLate}`;
  return { toDos: [{ kind: "invoices_due", id: companyId, what, count, day: null }] };
}

/** Amount that a company has to pay, in cents, and how much of it is late. */
async function owedBy(
  db: Db,
  companyId: string,
  today: string,
): Promise<Record<"toPay" | "late", { count: number; cents: number }>> {
  return await query(db).one(sql<Record<"toPay" | "late", { count: number; cents: number }>>`
    select json_build_object('count', count(*), 'cents', coalesce(sum(o.cents), 0)) as to_pay,
      json_build_object('count', count(*) filter (where o.late),
        'cents', coalesce(sum(o.cents) filter (where o.late), 0)) as late
    from (select b.due_cents - b.settled_cents as cents, i.due_on < ${today}::date as late
      from invoice i join invoice_balance b on b.invoice_id = i.id
      where i.company_id = ${companyId} and i.kind = 'invoice'
        and b.settled_cents < b.due_cents) o`);
}

/** The same as CSV, with no page. */
export async function invoicesCsv({
  deps,
  company: { companyId },
  input,
}: CompanyCall<InvoiceQuery>) {
  const today = parisDay(deps.now());
  const found = await invoicesWhere(
    deps.db,
    filterCondition(companyId, input, today),
    sql`order by i.place desc limit ${limits.maxCsvLines}`,
  );
  const head = ["Numéro", "Nature", "Émise le", "Échéance", "Objet", "Hors TVA", "TVA", "Total"];
  const lines = found.map((row) => {
    const one = toListed(row);
    const sign = row.kind === "invoice" ? 1 : -1;
    return [
      row.number,
      invoiceKindNames[row.kind],
      formatDate(row.issuedOn),
      formatDate(row.dueOn),
      plain(one.label),
      decimal(sign * row.netCents),
      decimal(sign * row.vatCents),
      decimal(sign * row.totalCents),
      decimal(sign * one.openCents),
      documentStateNames[one.document],
      paymentStateName(one),
      row.content.corrects?.number ?? "",
      row.reference,
    ];
  });
  const more = ["Reste", "Document", "Paiement", "Corrige", "Référence de paiement"];
  return csv(csvOf([[...head, ...more], ...lines]), `factures${input.year ?? ""}.csv`);
}

/** A document with all its details. */
export async function toInvoice(db: Db, row: InvoiceRow): Promise<Invoice> {
  const { netCents, vatCents, prepaidCents, content, reference } = row;
  const { rows: credits } = await sql<Invoice["credits"][number]>`
    select id, number, total_cents from invoice
    where corrects_id = ${row.id} order by place`.execute(db);
  const { rows: payments } = await sql<{
    means: SettlementMeans;
    amountCents: number;
    at: Date;
    reference: string;
  }>`select means, amount_cents, at, reference from invoice_payment
    where invoice_id = ${row.id} order by id`.execute(db);
  const one = toListed(row);
  const { name: holder, iban, bic } = content.seller;
  return {
    ...one,
    netCents,
    vatCents,
    prepaidCents,
    lines: content.lines,
    allowances: content.allowances,
    vat: content.vat.map(({ exemption, ...part }) => ({
      ...part,
      exemption: exemption?.text ?? null,
    })),
    credits,
    payments: payments.map(({ at, ...paid }) => ({
      ...paid,
      at: at.toISOString(),
      reference: paid.means === "checkout" ? null : paid.reference,
    })),
    transfer: invoiceCan.pay(one) ? { holder, iban, bic, reference } : null,
  };
}
