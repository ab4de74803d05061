// The days of a counter in a month: what its cashiers charged and gave back on each, beside the same weekday a week
// before.
import { sql } from "kysely";
import { addDays, firstOfMonth, parisDay, startOfDay } from "#contract/days.ts";
import { sumOfTotals, type TillTotals } from "#contract/till/closings.ts";
import { netOf, type TillDay, type TillDaySearch } from "#contract/till/days.ts";
import type { Db } from "#server/db/db.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { requireCounter } from "./access.ts";
import { shownAt } from "./sales.ts";

/** What one cashier charged and gave back on one day. */
interface DayLine extends TillTotals {
  day: string;
}

/** The days of a month on which something happened, the latest first; `not_found` for another's counter. */
export async function readDays({
  deps,
  company,
  input,
}: CompanyCall<TillDaySearch>): Promise<{ items: TillDay[] }> {
  const { db } = deps;
  await requireCounter(db, company.companyId, input.partner);
  return { items: await daysOfMonth(db, input, parisDay(deps.now())) };
}

/** The days of a month of a counter as of `today`, the latest first. */
export async function daysOfMonth(
  db: Db,
  search: TillDaySearch,
  today: string,
): Promise<TillDay[]> {
  const first = `${search.month}-01`;
  const lines = await linesBetween(db, search, {
    from: addDays(first, -7),
    until: firstOfMonth(first, 1),
  });
  const byDay = new Map<string, TillTotals[]>();
  for (const { day, ...totals } of lines) byDay.set(day, [...(byDay.get(day) ?? []), totals]);
  return [...byDay]
    .filter(([day]) => day >= first)
    .map(([day, cashiers]) => {
      const before = day < today ? byDay.get(addDays(day, -7)) : undefined;
      return { day, cashiers, weekBeforeCents: before ? netOf(sumOfTotals(before)) : null };
    });
}

/**
 * Totals by day and cashier, from the first day to before `until`. A sale counts on the day that the list shows
 * for it, a refund on the day on which it was made, for who made it.
 */
async function linesBetween(
  db: Db,
  { partner, cashier }: TillDaySearch,
  { from, until }: { from: string; until: string },
): Promise<DayLine[]> {
  // A sale is paid within minutes of its request: the request's own instant bounds what is read of the index.
  const { rows } = await sql<DayLine>`
    select to_char(one.day, 'YYYY-MM-DD') as day, k.name as cashier, count(one.sale)::int as sales,
      coalesce(sum(one.paid), 0)::bigint as paid_cents,
      coalesce(sum(one.discount), 0)::bigint as discount_cents,
      coalesce(sum(one.returned), 0)::bigint as returned_cents
    from (
      select paris_day(${shownAt}) as day, s.cashier_id as by_id, s.id as sale,
        s.amount_cents - s.discount_cents as paid, s.discount_cents as discount, 0 as returned
      from till_sale s
      where s.partner_id = ${partner} and s.paid_at is not null
        and s.requested_at >= ${startOfDay(addDays(from, -1))}
        and s.requested_at < ${startOfDay(until)}
        and ${shownAt} >= ${startOfDay(from)} and ${shownAt} < ${startOfDay(until)}
      union all
      select paris_day(r.at), r.by_id, null, 0, 0, r.amount_cents
      from till_return r join till_sale s on s.id = r.sale_id
      where s.partner_id = ${partner} and r.at >= ${startOfDay(from)} and r.at < ${startOfDay(until)}
    ) one join person k on k.id = one.by_id
    where ${cashier ?? null}::bigint is null
      or k.id = (select person_id from card where number = ${cashier ?? null}::bigint)
    group by one.day, k.id, k.name
    order by one.day desc, k.name collate "fr-x-icu", k.id`.execute(db);
  return rows;
}
