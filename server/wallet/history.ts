// The balance curve of the dashboard: the balance at the end of each past day, and its forecast.
import { sql } from "kysely";
import { addDays, parisDay, startOfDay } from "#contract/days.ts";
import type { Db } from "#server/db/db.ts";
import { dailyPace, project } from "./projection.ts";
import { sum, type WalletState } from "./states.ts";

const defaultDays = 60;
const projectedDays = 30;

interface Point {
  on: string;
  balanceCents: number;
}

/** Balance at the end of each of the last `days` days, today included, and of the next thirty. */
export async function historyOf(
  db: Db,
  wallet: WalletState,
  { days = defaultDays, now }: { days?: number | undefined; now: Date },
): Promise<{ points: Point[]; projection: Point[] }> {
  const today = parisDay(now);
  const first = addDays(today, 1 - days);
  const ids = wallet.lots.map((lot) => lot.accountId);
  const { rows } = await sql<{ on: string; cents: number }>`
    select paris_day(at)::text as on, sum(delta)::bigint as cents from (
      select at, -amount as delta from transfer
        where debit_account = any (${ids}::bigint[]) and at >= ${startOfDay(first)}
      union all
      select at, amount from transfer
        where credit_account = any (${ids}::bigint[]) and at >= ${startOfDay(first)}
    ) moves group by 1`.execute(db);
  const moved = new Map(rows.map(({ on, cents }) => [on, cents]));
  const balanceCents = sum(wallet.lots.map((lot) => lot.balanceCents));
  const points: Point[] = [];
  // Computed backwards from the balance now.
  let left = balanceCents;
  for (let on = today; on >= first; on = addDays(on, -1)) {
    points.push({ on, balanceCents: left });
    left -= moved.get(on) ?? 0;
  }
  const outlook = {
    today,
    balanceCents,
    booked: wallet.booked,
    dailyCents: dailyPace(wallet.weeksCents),
  };
  return { points: points.toReversed(), projection: project(outlook, projectedDays) };
}
