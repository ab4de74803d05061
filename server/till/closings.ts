// The day of a counter: its totals by cashier, and the closing that stores them.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { lists } from "#contract/limits.ts";
import type { TillClosing, TillMeans, TillTotals } from "#contract/till/closings.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { ownOnly, requireCounter } from "./access.ts";

/** Sales and refunds since the last closing, by cashier, in cents; for a cashier, their own. */
export async function readRunning({
  deps,
  caller,
  company,
  input,
}: CompanyCall<{ partner: string }>): Promise<{ since: string | null; cashiers: TillTotals[] }> {
  const { db } = deps;
  await requireCounter(db, company.companyId, input.partner);
  const since = await lastClosing(db, input.partner);
  const cashiers = await openTotals(db, input.partner, ownOnly(company, caller.personId));
  return { since: since?.until.toISOString() ?? null, cashiers };
}

async function lastClosing(
  db: Db,
  partner: string,
): Promise<{ number: number; until: Date } | null> {
  return await query(db).maybeOne(sql<{ number: number; until: Date }>`
    select number, until_at as until from till_closing where partner_id = ${partner}
    order by number desc limit 1`);
}

/** A refund counts for the cashier who made it. */
async function openTotals(db: Db, partner: string, own: number | null): Promise<TillTotals[]> {
  const { rows } = await sql<TillTotals>`
    select k.name as cashier, count(one.sale)::int as sales,
      coalesce(sum(one.paid), 0)::bigint as paid_cents,
      coalesce(sum(one.discount), 0)::bigint as discount_cents,
      coalesce(sum(one.returned), 0)::bigint as returned_cents
    from (
      select s.cashier_id as by_id, s.id as sale, s.amount_cents - s.discount_cents as paid,
        s.discount_cents as discount, 0 as returned
      from till_sale s
      where s.partner_id = ${partner} and s.closing is null and s.paid_at is not null
      union all
      select r.by_id, null, 0, 0, r.amount_cents from till_return r
      join till_sale s on s.id = r.sale_id where s.partner_id = ${partner} and r.closing is null
    ) one join person k on k.id = one.by_id
    where ${own}::bigint is null or one.by_id = ${own}
    group by k.id, k.name order by k.name collate "fr-x-icu", k.id`.execute(db);
  return rows;
}

/**
 * Closes the day of a counter: sales and refunds since the last closing are counted only once, under the next
 * number of this counter. Refuses `till_nothing`.
 */
export async function closeTill(call: CompanyCall<{ partner: string }>): Promise<TillClosing> {
  const { deps, caller, company, input } = call;
  const { companyId } = company;
  const { personId: by, name } = caller;
  const counter = { partner: input.partner, companyId, by, at: deps.now };
  const closing = await inCompanyTx(call, (tx) => closeCounter(tx, counter));
  return { ...closing, closedBy: name };
}

/** Payments and refunds since the last closing by acceptance group, aid separately. */
async function openMeans(tx: Tx, partner: string): Promise<TillMeans[]> {
  const { rows } = await sql<TillMeans>`
    select g.name, l.kind = 'granted' as aid, sum(one.paid)::bigint as paid_cents,
      sum(one.returned)::bigint as returned_cents
    from (
      select t.debit_account as lot, t.amount as paid, 0 as returned
      from till_sale s join transfer t on t.key = 'till:' || s.id
      where s.partner_id = ${partner} and s.closing is null and s.paid_at is not null
      union all
      select (t.memo ->> 'lot')::bigint, 0, t.amount
      from till_sale s join till_return r on r.sale_id = s.id
      join transfer t on t.key = 'till:' || s.id || ':refund:' || r.place
      where s.partner_id = ${partner} and r.closing is null
    ) one join wallet_lot l on l.account_id = one.lot
    join wallet w on w.id = l.wallet_id join acceptance_group g on g.id = w.group_id
    group by g.id, g.name, l.kind = 'granted' order by g.id, aid`.execute(tx);
  return rows;
}

/**
 * Counts the sales and refunds of a counter of a company under its next number; `at` is read once none is
 * under way. Refuses `not_found` for another company's counter.
 */
export async function closeCounter(
  tx: Tx,
  {
    partner,
    companyId,
    by,
    at,
  }: { partner: string; companyId: string; by: number; at: () => Date },
): Promise<Omit<TillClosing, "closedBy">> {
  // Sales and refunds lock this row while they are made: none falls between two closings.
  const { rows } = await sql`select from partner where id = ${partner} and company_id = ${companyId}
    for update`.execute(tx);
  if (rows.length === 0) throw new Problem("not_found");
  const cashiers = await openTotals(tx, partner, null);
  if (cashiers.length === 0) throw new Problem("till_nothing");
  const means = await openMeans(tx, partner);
  const last = await lastClosing(tx, partner);
  const number = (last?.number ?? 0) + 1;
  const until = at();
  await sql`update till_sale set closing = ${number}
    where partner_id = ${partner} and closing is null and paid_at is not null`.execute(tx);
  await sql`update till_return r set closing = ${number} from till_sale s
    where s.id = r.sale_id and s.partner_id = ${partner} and r.closing is null`.execute(tx);
  await sql`insert into till_closing (partner_id, number, from_at, until_at, closed_by, totals,
      means, shop)
    select p.id, ${number}, ${last?.until ?? null}::timestamptz, ${until}, ${by},
      ${JSON.stringify(cashiers)}::jsonb, ${JSON.stringify(means)}::jsonb, ${shopOf}
    from ${shopSource} where p.id = ${partner}`.execute(tx);
  return {
    number,
    from: last?.until.toISOString() ?? null,
    until: until.toISOString(),
    cashiers,
    means,
  };
}

/** Closings of a counter, newest first, by pages from the number of the last one seen. */
export async function readClosings({
  deps,
  company,
  input,
}: CompanyCall<{
  partner: string;
  before?: number | undefined;
  limit?: number | undefined;
}>): Promise<{ items: TillClosing[]; next: number | null }> {
  await requireCounter(deps.db, company.companyId, input.partner);
  const { partner, before = 2_147_483_647, limit = lists.defaultLimit } = input;
  const found = await closingsWhere(
    deps.db,
    sql`c.partner_id = ${partner} and c.number < ${before}`,
    limit + 1,
  );
  const { items, next } = pageOf(found, limit, ({ number }) => number);
  return { items: items.map(({ shop: _shop, ...closing }) => closing), next };
}

/** Identity of a shop when its day was closed. */
export interface ClosedShop {
  counter: string;
  /** « 4 quai Duguay, 35400 Port-Fictif ». */
  place: string;
  /** Null for a sheet that has lost its company. */
  company: string | null;
  siret: string | null;
}

const shopSource = sql`partner p left join company k on k.id = p.company_id`;
const shopOf = sql`jsonb_build_object('counter', p.name,
  'place', p.street || ', ' || p.postcode || ' ' || p.town, 'company', k.name, 'siret', k.siret)`;

/** Closings that match `condition`, newest first; for those without a stored shop, the shop as it is now. */
export async function closingsWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  max: number,
): Promise<(TillClosing & { shop: ClosedShop })[]> {
  const { rows } = await sql<
    Omit<TillClosing, "from" | "until"> & { from: Date | null; until: Date; shop: ClosedShop }
  >`
    select c.number, c.from_at as "from", c.until_at as until, by.name as closed_by,
      c.totals as cashiers, c.means, coalesce(c.shop, ${shopOf}) as shop
    from till_closing c join person by on by.id = c.closed_by
    join ${shopSource} on p.id = c.partner_id
    where ${condition} order by c.number desc limit ${max}`.execute(db);
  return rows.map((one) => ({
    ...one,
    from: one.from?.toISOString() ?? null,
    until: one.until.toISOString(),
  }));
}
