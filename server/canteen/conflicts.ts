// Conflicts of the counters of a canteen, until somebody has dealt with each: read, or its meal counted after all, as a
// scan of its own that the counter could have made.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { ConflictAct, OpenConflict } from "#contract/canteen/conflicts.ts";
import type { CounterPerson, Scan, ScanConflict } from "#contract/canteen/counter.ts";
import { conflictDays } from "#contract/canteen/limits.ts";
import { isServedTooLate } from "#contract/canteen/service-day.ts";
import { mealOrderCan } from "#contract/canteen/states.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { audit } from "#server/identity/identity.ts";
import type { CanteenCall } from "./canteens.ts";
import { peopleOf } from "./counter.ts";
import { tellProvider } from "./lifecycle.ts";
import { recordScan } from "./scans.ts";
import { type ServiceCalendar, serviceCalendars } from "./service-days.ts";

interface ConflictRow {
  id: string;
  conflict: ScanConflict;
  day: string;
  at: Date;
  name: string | null;
  personId: number | null;
  servedAt: Date | null;
  /** Where the person eats here, as of the order of the scan. */
  registration: string | null;
  priceCents: number | null;
}

/** Those of a canteen that wait, the oldest first; the one of an id, locked, where one is told. */
async function openConflicts(
  db: Db,
  canteen: string,
  { today, scan = null }: { today: string; scan?: string | null },
): Promise<ConflictRow[]> {
  const { rows } = await sql<ConflictRow>`
    select s.id, s.conflict, to_char(s.on_day, 'YYYY-MM-DD') as day, s.scanned_at as at, p.name,
      s.person_id as "personId", o.served_at as "servedAt",
      coalesce(o.registration_id, (select r.id from canteen_registration r
        where r.person_id = s.person_id and r.canteen_id = s.canteen_id and r.state = 'accepted'
        order by r.requested_at desc limit 1)) as registration,
      (select m.price_cents from meal_order m where m.canteen_id = s.canteen_id
        and m.person_id = s.person_id and m.on_day = s.on_day
        and m.state in ('reserved', 'validated', 'absent') limit 1) as "priceCents"
    from meal_scan s left join person p on p.id = s.person_id
      and exists (select from canteen_registration k
        where k.person_id = p.id and k.canteen_id = s.canteen_id)
    left join meal_order o on o.id = s.order_id
    where s.canteen_id = ${canteen} and ${isOpenConflict(today)}
      and (${scan}::uuid is null or s.id = ${scan}::uuid)
    order by s.scanned_at, s.id limit 100`.execute(db);
  return rows;
}

/** SQL condition: the scan `s` is a conflict that waits. */
export const isOpenConflict = (today: string) => sql<boolean>`(s.conflict is not null
  and s.settled_at is null and s.on_day >= ${addDays(today, -conflictDays)}::date)`;

/** The conflicts of a canteen of the caller that wait, with what may be done and what it takes. */
export async function readConflicts({
  deps,
  canteen: { id },
}: CanteenCall<unknown>): Promise<{ items: OpenConflict[] }> {
  const today = parisDay(deps.now());
  const rows = await openConflicts(deps.db, id, { today });
  const first = rows.reduce((day, row) => (row.day < day ? row.day : day), today);
  const calendars = await serviceCalendars(deps.db, [id], first);
  const items: OpenConflict[] = [];
  for (const row of rows) {
    const acts = await actsOn(deps.db, id, row, { today, calendar: calendars.get(id) });
    const { conflict, name, servedAt } = row;
    items.push({
      id: row.id,
      name,
      at: row.at.toISOString(),
      conflict,
      servedAt: conflict === "served_elsewhere" ? (servedAt?.toISOString() ?? null) : null,
      acts,
    });
  }
  return { items };
}

/** What may be done beside reading it, where the meal is not counted and still can be. */
async function actsOn(
  db: Db,
  canteen: string,
  { conflict, day, registration, priceCents }: ConflictRow,
  { today, calendar }: { today: string; calendar: ServiceCalendar | undefined },
): Promise<OpenConflict["acts"]> {
  const isCounted = conflict === "served_elsewhere" || conflict === "undo_late";
  if (isCounted || registration === null || isServedTooLate(day, today)) return [];
  const [person] = await peopleOf(db, canteen, { day, registrations: [registration] });
  if (!person) return [];
  const { order } = person;
  if (order) return mealOrderCan.serve(order) ? [{ act: "count", cents: priceCents }] : [];
  return calendar?.closedWhy(day) === null ? withoutOrder(person) : [];
}

const withoutOrder = ({ walkInCents: cents }: CounterPerson): OpenConflict["acts"] =>
  cents === null
    ? [{ act: "cash", cents }]
    : [
        { act: "hold", cents },
        { act: "cash", cents },
      ];

/**
 * Deals with a conflict, once. A meal that is counted is a scan of its own, carried out as the counter's; refuses what
 * that refuses, `scan_conflict_stays` where it would be a conflict again, and `scan_conflict_settled`.
 */
export async function settleConflict(
  call: CanteenCall<{ scan: string; act: ConflictAct }>,
): Promise<{ message: string; scan: Scan | null }> {
  const { deps, caller, input, origin, canteen } = call;
  return await inCompanyTx(call, async (tx) => {
    const at = deps.now();
    await requireWaiting(tx, canteen.id, input.scan);
    const [row] = await openConflicts(tx, canteen.id, { today: parisDay(at), scan: input.scan });
    if (!row) throw new Problem("scan_conflict_settled");
    const { act } = input;
    const scan = act === "read" ? null : countedBy(row, act, at);
    if (scan) {
      const counter = { deps, canteen, by: caller.personId, now: at };
      const { conflict } = await recordScan(tx, counter, scan);
      if (conflict !== null) throw new Problem("scan_conflict_stays");
    }
    // Counted as a scan of its own: the first counts among the meals without an order no more.
    await sql`update meal_scan set settled_at = ${at}, settled_by = ${caller.personId},
        walk_in = case when ${act} = 'read' then walk_in end
      where id = ${row.id}`.execute(tx);
    if (row.personId !== null) {
      await audit(tx, {
        personId: row.personId,
        action: "meal.conflict",
        actor: `provider:${caller.personId}`,
        address: origin.address,
        details: { conflict: row.conflict, act },
        at,
      });
    }
    await tellProvider(tx, { canteenId: canteen.id });
    return { message: settledWords[act], scan };
  });
}

/** The scan that counts the meal of a conflict, made now: for five minutes it can be undone. */
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

/** Locks a conflict of the canteen; `not_found` for a scan of another's, or without a conflict. */
async function requireWaiting(tx: Tx, canteen: string, scan: string): Promise<void> {
  const { rows } = await sql<{ settled: boolean }>`
    select settled_at is not null as settled from meal_scan
    where id = ${scan} and canteen_id = ${canteen} and conflict is not null for update`.execute(tx);
  if (!rows[0]) throw new Problem("not_found");
  if (rows[0].settled) throw new Problem("scan_conflict_settled");
}

const settledWords: Readonly<Record<ConflictAct, string>> = {
  read: "Passage réglé.",
  count: "Le repas est compté au prix de sa commande.",
  hold: "Le repas est débité de la cagnotte.",
  cash: "Le repas est noté payé en espèces.",
};
