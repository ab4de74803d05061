// The day of a counter: its totals by cashier, and the closing that keeps them.
import { sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import { lists } from "#contract/limits.ts";
import type { TillClosing, TillTotals } from "#contract/till/closings.ts";
import { requireCompany } from "#server/companies/companies.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { ownOnly, requireCounter } from "./access.ts";

/** What was sold and given back since the last closing, by cashier, in cents; a cashier's own. */
export async function readRunning({
  deps,
  caller,
  input,
}: PersonCall<{ partner: string }>): Promise<{ since: string | null; cashiers: TillTotals[] }> {
  const { db } = deps;
  const membership = await requireCompany(db, caller.personId, companyCan.charge);
  await requireCounter(db, membership.companyId, input.partner);
  const since = await lastClosing(db, input.partner);
  const cashiers = await openTotals(db, input.partner, ownOnly(membership, caller.personId));
  return { since: since?.until.toISOString() ?? null, cashiers };
}

async function lastClosing(
  db: Db,
  partner: string,
): Promise<{ number: number; until: Date } | undefined> {
  const { rows } = await sql<{ number: number; until: Date }>`
    select number, until_at as until from till_closing where partner_id = ${partner}
    order by number desc limit 1`.execute(db);
  return rows[0];
}

/** A return counts for whoever gave it back. */
async function openTotals(db: Db, partner: string, own: number | null): Promise<TillTotals[]> {
  const { rows } = await sql<TillTotals>`
    select k.name as cashier, count(one.sale)::int as sales,
      coalesce(sum(one.paid), 0)::bigint as "paidCents",
      coalesce(sum(one.discount), 0)::bigint as "discountCents",
      coalesce(sum(one.returned), 0)::bigint as "returnedCents"
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
 * Closes the day of a counter: what happened since the last closing is counted once for ever, under the
 * next number of this counter. Refuses `company_role` to a cashier, `till_nothing`.
 */
export async function closeTill({
  deps,
  caller,
  input,
}: PersonCall<{ partner: string }>): Promise<TillClosing> {
  const { companyId } = await requireCompany(deps.db, caller.personId, companyCan.seeMoney);
  const { partner } = input;
  await requireCounter(deps.db, companyId, partner);
  const { personId: by, name } = caller;
  const closing = await inTx(deps.db, (tx) => closeCounter(tx, { partner, by, at: deps.now }));
  return { ...closing, closedBy: name };
}

/** Counts what happened at a counter under its next number; `at` is read once nothing is under way. */
export async function closeCounter(
  tx: Tx,
  { partner, by, at }: { partner: string; by: number; at: () => Date },
): Promise<Omit<TillClosing, "closedBy">> {
  // Sales and returns hold this row while they are made: none slips between two closings.
  await sql`select from partner where id = ${partner} for update`.execute(tx);
  const cashiers = await openTotals(tx, partner, null);
  if (cashiers.length === 0) throw new Problem("till_nothing");
  const last = await lastClosing(tx, partner);
  const number = (last?.number ?? 0) + 1;
  const until = at();
  await sql`update till_sale set closing = ${number}
    where partner_id = ${partner} and closing is null and paid_at is not null`.execute(tx);
  await sql`update till_return r set closing = ${number} from till_sale s
    where s.id = r.sale_id and s.partner_id = ${partner} and r.closing is null`.execute(tx);
  await sql`insert into till_closing (partner_id, number, from_at, until_at, closed_by, totals)
    values (${partner}, ${number}, ${last?.until ?? null}, ${until}, ${by},
      ${JSON.stringify(cashiers)}::jsonb)`.execute(tx);
  return {
    number,
    from: last?.until.toISOString() ?? null,
    until: until.toISOString(),
    cashiers,
  };
}

/** Closings of a counter, newest first, by pages from the number of the last one seen. */
export async function readClosings({
  deps,
  caller,
  input,
}: PersonCall<{
  partner: string;
  before?: number | undefined;
  limit?: number | undefined;
}>): Promise<{ items: TillClosing[]; next: number | null }> {
  const { db } = deps;
  const { companyId } = await requireCompany(db, caller.personId, companyCan.seeMoney);
  await requireCounter(db, companyId, input.partner);
  const limit = input.limit ?? lists.defaultLimit;
  const { rows } = await sql<
    Omit<TillClosing, "from" | "until"> & { from: Date | null; until: Date }
  >`
    select c.number, c.from_at as "from", c.until_at as until, p.name as "closedBy",
      c.totals as cashiers
    from till_closing c join person p on p.id = c.closed_by
    where c.partner_id = ${input.partner} and c.number < ${input.before ?? 2_147_483_647}
    order by c.number desc limit ${limit + 1}`.execute(db);
  const items = rows.slice(0, limit).map((one) => ({
    ...one,
    from: one.from?.toISOString() ?? null,
    until: one.until.toISOString(),
  }));
  return { items, next: rows.length > limit ? (items.at(-1)?.number ?? null) : null };
}
