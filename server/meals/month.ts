// The follow-up of a family's meals as a month.
import { sql } from "kysely";
import { addMonths, todayInParis } from "#contract/days.ts";
import { canteen } from "#contract/limits.ts";
import { query } from "#server/db/query.ts";
import { actsForSql } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { ordersWhere } from "./orders.ts";

interface Months {
  first: string | null;
  last: string | null;
  /** The month of the next meal that is still held. */
  next: string | null;
}

/**
 * The meals of the caller and their children in a month (YYYY-MM), by day, name and number, cancelled ones
 * included; without a month, in that of the next meal that is still held, else in the current one. With the
 * months of their first and last meals, null without any. At most `canteen.familyMonthMeals` meals.
 */
export async function readMonth({
  deps,
  caller,
  input,
}: PersonCall<{ month?: string | undefined }>) {
  const at = deps.now();
  const today = todayInParis(at);
  const family = sql`o.person_id = any (array(${actsForSql(caller.personId)}))`;
  const { first, last, next } = await query(deps.db).one(sql<Months>`
    select to_char(min(o.on_day), 'YYYY-MM') as first, to_char(max(o.on_day), 'YYYY-MM') as last,
      to_char(min(o.on_day) filter (where o.state in ('reserved', 'validated')
        and o.on_day >= ${today}::date), 'YYYY-MM') as next
    from meal_order o where ${family}`);
  const month = input.month ?? next ?? today.slice(0, 7);
  const from = `${month}-01`;
  const items = await ordersWhere(
    deps.db,
    sql`${family} and o.on_day >= ${from}::date and o.on_day < ${addMonths(from, 1)}::date`,
    {
      order: sql`o.on_day, p.name, o.number`,
      reader: caller.personId,
      at,
      limit: canteen.familyMonthMeals,
    },
  );
  return { now: at.toISOString(), month, span: first && last ? { first, last } : null, items };
}
