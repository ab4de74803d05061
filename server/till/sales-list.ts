// The sales of a counter as its company reads them: found by a search, by pages with the total of each day or as
// a file, and the refunds of one.
import { Readable } from "node:stream";
import { type RawBuilder, sql } from "kysely";
import { addDays, parisDay, startOfDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatCount, formatDate, formatTime, parseMoney } from "#contract/french.ts";
import { lists } from "#contract/limits.ts";
import { idStart, referenceOf } from "#contract/reference.ts";
import { lineWords } from "#contract/till/lines.ts";
import type { TillSale } from "#contract/till/rows.ts";
import {
  maxSalesInFile,
  shownStateOf,
  type TillDayTotal,
  type TillReturns,
  tillSaleFilterNames,
  type TillSaleSearch,
} from "#contract/till/sales.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { csvContinuation, csvOf, decimal, plain } from "#server/http/csv.ts";
import { csv, type Document } from "#server/http/document.ts";
import { ownOnly, requireCounter } from "./access.ts";
import { returnsColumn, salesWhere, shownAt, toReturns, toTillSaleView } from "./sales.ts";

/** SQL: a sale of the caller's company, for a cashier only their own. */
export function readable({ caller, company, input }: CompanyCall<{ sale: string }>) {
  const own = ownOnly(company, caller.personId);
  return sql`s.id = ${input.sale} and p.company_id = ${company.companyId}
    and (${own}::bigint is null or s.cashier_id = ${own})`;
}

/** A sale of the caller's company, for a cashier only their own; `not_found` for any other. */
export async function readSale(call: CompanyCall<{ sale: string }>): Promise<TillSale> {
  const [sale] = await salesWhere(call.deps.db, readable(call));
  if (!sale) throw new Problem("not_found");
  return toTillSaleView(sale);
}

/** The refunds of a sale, read with it in one statement; `not_found` as `readSale`. */
export async function readReturns(call: CompanyCall<{ sale: string }>): Promise<TillReturns> {
  const [sale] = await salesWhere(call.deps.db, readable(call), sql``, returnsColumn);
  if (!sale) throw new Problem("not_found");
  return { sale: toTillSaleView(sale), ...toReturns(sale) };
}

/** SQL: the condition of the search, from the parts that are filled in. */
function searchCondition({
  q = "",
  from,
  to,
  cashier,
  state,
}: TillSaleSearch): RawBuilder<unknown> {
  const parts = [
    // A sale is paid within minutes of its request: the request's own instant bounds what is read of the
    // index.
    from &&
      sql`s.requested_at >= ${startOfDay(addDays(from, -1))} and ${shownAt} >= ${startOfDay(from)}`,
    to &&
      sql`s.requested_at < ${startOfDay(addDays(to, 1))} and ${shownAt} < ${startOfDay(addDays(to, 1))}`,
    cashier && sql`s.cashier_id = (select person_id from card where number = ${cashier})`,
    state === "part" && sql`s.state = 'paid' and s.refunded_cents > 0`,
    state && state !== "part" && sql`s.state = ${state}`,
    q.trim() !== "" && sought(q.trim()),
  ].filter((part) => part !== undefined && part !== false && part !== "" && part !== 0);
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

/**
 * SQL: a reference alone where the text is one, else an amount, the end of the card's number, words of the
 * label or of an article.
 */
function sought(q: string): RawBuilder<unknown> {
  const start = idStart(q);
  if (start !== null) return sql`s.id::text like ${`${start}%`}`;
  const cents = parseMoney(q);
  const last4 = /^\d{4}$/.test(q) ? Number(q) : null;
  const words = q.replace(/[\\%_]/g, String.raw`\$&`);
  return sql`(s.label ilike ${`%${words}%`}
    or exists (select from jsonb_array_elements(s.lines) line where line ->> 'name' ilike ${`%${words}%`})
    or s.cardnumber % 10000 = ${last4}::int
    or ${cents}::bigint in (s.amount_cents, s.amount_cents - s.discount_cents))`;
}

interface Reading extends TillSaleSearch {
  /** For a cashier, who reads only their own sales of the day. */
  own: number | null;
  now: Date;
}

/**
 * SQL: the sales of a counter that the caller may read and that match the search, those after a given sale.
 */
const listCondition = (search: Reading, before: string | undefined) => sql`
  s.partner_id = ${search.partner}
    and (${search.own}::bigint is null or s.cashier_id = ${search.own}
      and paris_day(case when s.offline then s.paid_at else s.requested_at end)
        = ${parisDay(search.now)}::date)
    and ${searchCondition(search)}
    and (${before ?? null}::uuid is null or (s.requested_at, s.id) < (
      select b.requested_at, b.id from till_sale b
      where b.id = ${before ?? null}::uuid and b.partner_id = s.partner_id))`;

async function salesAfter(
  db: Db,
  search: Reading,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<TillSale[]> {
  const found = await salesWhere(
    db,
    listCondition(search, before),
    sql`order by s.requested_at desc, s.id desc limit ${limit}`,
  );
  return found.map(toTillSaleView);
}

/** Refuses `not_found` for another company's counter. */
async function readingOf({
  deps,
  caller,
  company,
  input,
}: CompanyCall<TillSaleSearch>): Promise<Reading> {
  await requireCounter(deps.db, company.companyId, input.partner);
  return { ...input, own: ownOnly(company, caller.personId), now: deps.now() };
}

/**
 * Sales of a counter that match the search, newest first, by pages from the id of the last one seen, with the
 * totals of their days; for a cashier, their own of the day. Refuses `not_found` for another company's.
 */
export async function readSales(
  call: CompanyCall<TillSaleSearch & { before?: string | undefined; limit?: number | undefined }>,
): Promise<{ items: TillSale[]; days: TillDayTotal[]; next: string | null }> {
  const { db } = call.deps;
  const { before, limit = lists.defaultLimit } = call.input;
  const search = await readingOf(call);
  const found = await salesAfter(db, search, { before, limit: limit + 1 });
  const page = pageOf(found, limit, ({ id }) => id);
  return { ...page, days: await dayTotals(db, search, page.items) };
}

/** The totals of the days on which these sales stand, each over all sales of the day that the search finds. */
async function dayTotals(
  db: Db,
  search: Reading,
  sales: readonly TillSale[],
): Promise<TillDayTotal[]> {
  const days = sales.map(({ at }) => parisDay(new Date(at))).sort();
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) return [];
  const { rows } = await sql<TillDayTotal>`
    select to_char(paris_day(${shownAt}), 'YYYY-MM-DD') as day,
      (count(*) filter (where s.paid_at is not null))::int as sales,
      coalesce(sum(s.amount_cents - s.discount_cents) filter (where s.paid_at is not null), 0)::bigint
        as paid_cents,
      coalesce(sum(s.refunded_cents), 0)::bigint as refunded_cents
    from till_sale s where ${listCondition({ ...search, from, to }, undefined)}
    group by 1 order by 1 desc`.execute(db);
  const shown = new Set(days);
  return rows.filter(({ day }) => shown.has(day));
}

/** Sales of the day in Paris and what was given back that day, in cents; for a cashier, their own. */
export async function readToday({
  deps,
  caller,
  company,
  input,
}: CompanyCall<{ partner: string }>): Promise<{
  sales: number;
  paidCents: number;
  returnedCents: number;
}> {
  const { db } = deps;
  await requireCounter(db, company.companyId, input.partner);
  const own = ownOnly(company, caller.personId);
  const day = parisDay(deps.now());
  return await query(db).one(sql`
    select count(s.id)::int as sales,
      coalesce(sum(s.amount_cents - s.discount_cents), 0)::bigint as paid_cents,
      (select coalesce(sum(r.amount_cents), 0)::bigint from till_return r
        join till_sale b on b.id = r.sale_id
        where r.at >= ${startOfDay(day)} and b.partner_id = ${input.partner}
          and (${own}::bigint is null or r.by_id = ${own})) as returned_cents
    from till_sale s
    where s.partner_id = ${input.partner} and s.paid_at is not null
      and (${own}::bigint is null or s.cashier_id = ${own})
      and ${searchCondition({ partner: input.partner, from: day })}`);
}

/** Cashiers who ever charged at a counter, by name; a cashier reads themselves alone. */
export async function readCashiers({
  deps,
  caller,
  company,
  input,
}: CompanyCall<{ partner: string }>): Promise<{ items: { cardnumber: number; name: string }[] }> {
  const { db } = deps;
  await requireCounter(db, company.companyId, input.partner);
  const own = ownOnly(company, caller.personId);
  // Jumps from one cashier to the next in the index, whatever the number of their sales.
  const { rows } = await sql<{ cardnumber: number; name: string }>`
    with recursive one (id) as (
      select min(cashier_id) from till_sale where partner_id = ${input.partner}
      union all
      select (select min(s.cashier_id) from till_sale s
        where s.partner_id = ${input.partner} and s.cashier_id > one.id)
      from one where one.id is not null)
    select c.number as cardnumber, p.name
    from one join person p on p.id = one.id cross join lateral current_card(p.id) c
    where ${own}::bigint is null or p.id = ${own}
    order by p.name collate "fr-x-icu", p.id`.execute(db);
  return { items: rows };
}

/**
 * The same as CSV, streamed from the database: at most `maxSalesInFile`, and a last line says where it stops.
 */
export async function salesCsv(call: CompanyCall<TillSaleSearch>): Promise<Document> {
  const search = await readingOf(call);
  return csv(Readable.from(csvPages(call.deps.db, search)), "caisse-ventes.csv");
}

const pageLines = 500;

async function* csvPages(db: Db, search: Reading) {
  yield csvOf([
    [
      "Date",
      "Heure",
      "Référence",
      "État",
      "Carte",
      "Payé par",
      "Objet",
      "Encaissé par",
      "Avant remise (€)",
      "Remise (€)",
      "Points utilisés",
      "Après remise (€)",
      "Encaissé (€)",
      "Rendu (€)",
      "Encaissé moins rendu (€)",
      "Hors connexion",
      "Articles",
    ],
  ]);
  let before: string | undefined;
  for (let written = 0; ;) {
    const sales = await salesAfter(db, search, { before, limit: pageLines });
    if (sales.length > 0 && written === maxSalesInFile) {
      const max = formatCount(maxSalesInFile);
      yield csvContinuation([
        [
          `Seules les ${max} ventes les plus récentes sont dans ce fichier. Choisissez une période plus courte.`,
        ],
      ]);
      return;
    }
    if (sales.length > 0) yield csvContinuation(sales.map(toRow));
    written += sales.length;
    before = sales.at(-1)?.id;
    if (sales.length < pageLines) return;
  }
}

function toRow(sale: TillSale): (string | number)[] {
  const { state, at, amountCents, discountCents, paidCents, refundedCents } = sale;
  const chargedCents = ["paid", "cancelled", "refunded"].includes(state) ? paidCents : 0;
  return [
    formatDate(at),
    formatTime(at),
    referenceOf(sale.id),
    tillSaleFilterNames[shownStateOf(sale)],
    `…${sale.last4}`,
    plain(sale.holder ?? ""),
    plain(sale.label ?? ""),
    plain(sale.cashier),
    decimal(amountCents),
    decimal(discountCents),
    sale.pointsUsed,
    decimal(paidCents),
    decimal(chargedCents),
    decimal(refundedCents),
    decimal(chargedCents - refundedCents),
    sale.offline ? "oui" : "non",
    plain(lineWords(sale.lines)),
  ];
}
