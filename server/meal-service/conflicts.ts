// Conflicts of the counters of a canteen, open until somebody settles each: marked as read, or its meal
// counted after all by a scan of its own that the counter could have made.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { ConflictAct, OpenConflict } from "#contract/meal-service/conflicts.ts";
import type { Scan, ScanConflict } from "#contract/meal-service/counter.ts";
import { conflictDays } from "#contract/meal-service/limits.ts";
import { isServedTooLate } from "#contract/kitchen/service-day.ts";
import { mealOrderCan, type MealOrderState } from "#contract/meals/states.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditAct } from "#server/identity/identity.ts";
import {
  type CanteenCall,
  countsOn,
  type MealPrice,
  priceKey,
  pricesOn,
  type ServiceCalendar,
  serviceCalendars,
} from "#server/kitchen/kitchen.ts";
import { pushProviderChange } from "#server/meals/meals.ts";
import { recordScan } from "./scans.ts";

interface ConflictRow {
  id: string;
  conflict: ScanConflict;
  day: string;
  at: Date;
  name: string | null;
  personId: number | null;
  servedAt: Date | null;
  /** The registration under which the person eats here, as of the order of the scan. */
  registration: string | null;
  priceCents: number | null;
  /** State of the meal that the registration has on that day. */
  ordered: MealOrderState | null;
  /** The registration counts on that day. */
  counts: boolean;
  /** The operator has frozen the provider, which sells nothing. */
  frozen: boolean;
}

/** Open conflicts of a canteen, the oldest first; with an id, only that one, locked. */
async function openConflicts(
  db: Db,
  canteen: string,
  { today, scan = null }: { today: string; scan?: string | null },
): Promise<ConflictRow[]> {
  const { rows } = await sql<ConflictRow>`
    select s.id, s.conflict, to_char(s.on_day, 'YYYY-MM-DD') as day, s.scanned_at as at, p.name,
      s.person_id, o.served_at, r.id as registration,
      (select m.price_cents from meal_order m where m.canteen_id = s.canteen_id
        and m.person_id = s.person_id and m.on_day = s.on_day
        and m.state in ('reserved', 'validated', 'absent') limit 1) as price_cents,
      d.state as ordered, coalesce(${countsOn("r", sql.ref("s.on_day"))}, false) as counts,
      partner.frozen_at is not null as frozen
    from meal_scan s join canteen c on c.id = s.canteen_id
    join canteen_provider v on v.id = c.provider_id join partner on partner.id = v.partner_id
    left join person p on p.id = s.person_id
      and exists (select from canteen_registration k
        where k.person_id = p.id and k.canteen_id = s.canteen_id)
    left join meal_order o on o.id = s.order_id
    left join canteen_registration r on r.id = coalesce(o.registration_id,
      (select k.id from canteen_registration k
        where k.person_id = s.person_id and k.canteen_id = s.canteen_id and k.state = 'accepted'
        order by k.requested_at desc limit 1))
    left join meal_order d on d.registration_id = r.id and d.on_day = s.on_day
      and d.state in ('reserved', 'validated', 'served', 'absent')
    where s.canteen_id = ${canteen} and ${isOpenConflict(today)}
      and (${scan}::uuid is null or s.id = ${scan}::uuid)
    order by s.scanned_at, s.id limit 100`.execute(db);
  return rows;
}

/** SQL condition: the scan `s` is an open conflict. */
export const isOpenConflict = (today: string) => sql<boolean>`(s.conflict is not null
  and s.settled_at is null and s.on_day >= ${addDays(today, -conflictDays)}::date)`;

/** The open conflicts of a canteen of the caller, with the ways to settle each and their amounts. */
export async function readConflicts({
  deps,
  canteen: { id },
}: CanteenCall<unknown>): Promise<{ items: OpenConflict[] }> {
  const today = parisDay(deps.now());
  const rows = await openConflicts(deps.db, id, { today });
  const first = rows.reduce((day, row) => (row.day < day ? row.day : day), today);
  const countable = rows.filter((row) => canCount(row, today));
  const [calendars, prices] = await Promise.all([
    serviceCalendars(deps.db, [id], first),
    pricesOn(
      deps.db,
      countable.flatMap(({ registration }) => registration ?? []),
      countable.map(({ day }) => day),
    ),
  ]);
  return {
    items: rows.map((row) => ({
      id: row.id,
      name: row.name,
      at: row.at.toISOString(),
      conflict: row.conflict,
      servedAt: row.conflict === "served_elsewhere" ? (row.servedAt?.toISOString() ?? null) : null,
      acts: canCount(row, today) ? actsOn(row, { calendar: calendars.get(id), prices }) : [],
    })),
  };
}

/** Whether the meal of a conflict is not counted and still can be. */
const canCount = ({ conflict, day, registration }: ConflictRow, today: string): boolean =>
  conflict !== "served_elsewhere" &&
  conflict !== "undo_late" &&
  registration !== null &&
  !isServedTooLate(day, today);

/** The ways to count a meal that can be counted: at the price of its order, else as one without an order. */
function actsOn(
  { day, registration, ordered, counts, frozen, priceCents }: ConflictRow,
  {
    calendar,
    prices,
  }: { calendar: ServiceCalendar | undefined; prices: ReadonlyMap<string, MealPrice> },
): OpenConflict["acts"] {
  if (ordered) {
    return mealOrderCan.serve({ state: ordered }) ? [{ act: "count", cents: priceCents }] : [];
  }
  if (!counts || calendar?.closedWhy(day) !== null) return [];
  const price = frozen ? undefined : prices.get(priceKey(registration ?? "", day));
  if (!price) return [{ act: "cash", cents: null }];
  const cents = price.priceCents;
  return [
    { act: "hold", cents },
    { act: "cash", cents },
  ];
}

/**
 * Settles a conflict, once. A meal that is counted is a scan of its own, carried out like the counter's;
 * refuses what that refuses, `scan_conflict_stays` where it would be a conflict again, and
 * `scan_conflict_settled`.
 */
export async function settleConflict(
  call: CanteenCall<{ scan: string; act: ConflictAct }>,
): Promise<{ message: string; scan: Scan | null }> {
  const { deps, caller, input, canteen } = call;
  return await inCompanyTx(call, async (tx) => {
    const at = deps.now();
    await requireWaiting(tx, canteen.id, input.scan);
    const [row] = await openConflicts(tx, canteen.id, { today: parisDay(at), scan: input.scan });
    if (!row) throw new Problem("scan_conflict_settled");
    const { act } = input;
    const scan = act === "read" ? null : countedBy(row, act, at);
    if (scan) {
      const { conflict } = await recordScan(tx, { ...call, now: at }, scan);
      if (conflict !== null) throw new Problem("scan_conflict_stays");
    }
    // Counted by a scan of its own: the first one no longer counts among the meals without an order.
    await sql`update meal_scan set settled_at = ${at}, settled_by = ${caller.personId},
        walk_in = case when ${act} = 'read' then walk_in end
      where id = ${row.id}`.execute(tx);
    if (row.personId !== null) {
      await auditAct(tx, call, "meal.conflict", {
        personId: row.personId,
        as: "provider",
        details: { conflict: row.conflict, act },
        at,
      });
    }
    await pushProviderChange(tx, { canteenId: canteen.id });
    return { message: settledWords[act], scan };
  });
}

/** The scan that counts the meal of a conflict, made now: it can be undone for five minutes. */
function countedBy(
  { day, registration }: ConflictRow,
  act: Exclude<ConflictAct, "read">,
  at: Date,
): Scan {
  if (registration === null) throw new Problem("scan_conflict_stays");
  return {
    id: randomUUID(),
    day,
    at: at.toISOString(),
    registration,
    verdict: act === "count" ? "served" : "no_order",
    ...(act === "count" ? { validated: true } : { walkIn: act }),
  };
}

/** Locks a conflict of the canteen; `not_found` for a scan of another canteen, or without a conflict. */
async function requireWaiting(tx: Tx, canteen: string, scan: string): Promise<void> {
  const found = await query(tx).maybeOne(sql<{ settled: boolean }>`
    select settled_at is not null as settled from meal_scan
    where id = ${scan} and canteen_id = ${canteen} and conflict is not null for update`);
  if (!found) throw new Problem("not_found");
  if (found.settled) throw new Problem("scan_conflict_settled");
}

const settledWords: Readonly<Record<ConflictAct, string>> = {
  read: "Passage réglé.",
  count: "Le repas est compté au prix de sa commande.",
  hold: "Le repas est débité de la cagnotte.",
  cash: "Le repas est noté payé en espèces.",
};
