// Effect of a closing on the meals of its days: cancelled free of charge, money released, families told.
import { sql } from "kysely";
import { formatDate } from "#contract/french.ts";
import type { Tx } from "#server/db/db.ts";
import { voidHolds } from "#server/ledger/ledger.ts";
import { withGuardians } from "#server/family/family.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceMeal } from "./announcements.ts";
import { releaseIllnessMeals } from "./illness-certificate.ts";
import { lockServicesOf } from "./services.ts";

interface Closing {
  canteenId: string;
  name: string;
  from: string;
  to: string;
  reason: string;
  at: Date;
}

/**
 * Cancels the open orders of days (both included) on which a canteen closes: they cost nothing, their holds
 * and seats are released, waits for a seat end, each family is told once. Returns how many orders.
 */
export async function cancelForClosing(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  closing: Closing,
): Promise<number> {
  const { canteenId, from, to, reason, at } = closing;
  await lockServicesOf(tx, canteenId, { from, to });
  const { rows } = await sql<{ personId: number; orderedBy: number; holds: number[] }>`
    update meal_order set state = 'cancelled', revision = revision + 1, ended_at = ${at},
      end_reason = ${`Fermeture\u202f: ${reason}`}, charged_cents = 0
    where id in (select id from meal_order
        where canteen_id = ${canteenId} and on_day between ${from}::date and ${to}::date
        order by number for update)
      and state in ('reserved', 'validated')
    returning person_id, ordered_by, to_json(hold_ids) as holds`.execute(tx);
  await voidHolds(
    tx,
    rows.flatMap(({ holds }) => holds),
    at,
  );
  const closed = sql`canteen_id = ${canteenId} and on_day between ${from}::date and ${to}::date`;
  await releaseIllnessMeals(tx, closed, at);
  const { rows: waits } = await sql<{ personId: number; requestedBy: number }>`
    update meal_wait w set state = 'expired', ended_at = ${at} from canteen_registration r
    where r.id = w.registration_id and r.canteen_id = ${canteenId}
      and w.state in ('waiting', 'offered') and w.on_day between ${from}::date and ${to}::date
    returning r.person_id, w.requested_by`.execute(tx);
  await sql`update canteen_day d set taken = eaten.meals, extra = greatest(0, eaten.meals - d.seats)
    from (select e.canteen_id, e.on_day, (select count(*) from meal_order o
        where o.canteen_id = e.canteen_id and o.on_day = e.on_day
          and o.state in ('served', 'absent'))::int as meals from canteen_day e) eaten
    where eaten.canteen_id = d.canteen_id and eaten.on_day = d.on_day
      and d.canteen_id = ${canteenId} and d.on_day between ${from}::date and ${to}::date`.execute(
    tx,
  );
  await notifyFamilies(tx, deps, closing, {
    ordered: rows.flatMap((order) => [order.personId, order.orderedBy]),
    waited: waits.flatMap((wait) => [wait.personId, wait.requestedBy]),
  });
  return rows.length;
}

/** Tells each reader once; a message to people who only waited mentions no money. */
async function notifyFamilies(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { name, from, to, reason, at }: Closing,
  { ordered, waited }: { ordered: readonly number[]; waited: readonly number[] },
): Promise<void> {
  if (ordered.length + waited.length === 0) return;
  const hadMeals = new Set(await withGuardians(tx, [...new Set(ordered)]));
  const days =
    from === to ? `le ${formatDate(from)}` : `du ${formatDate(from)} au ${formatDate(to)}`;
  await announceMeal(tx, deps, [...new Set([...ordered, ...waited])], {
    title: "Cantine fermée",
    body: ({ id }) =>
      `${name} ferme ${days} (${reason}). ${
        hadMeals.has(id)
          ? "Les repas commandés pour ces jours sont annulés sans frais et l’argent mis de côté revient sur la cagnotte."
          : "Vous n’attendez plus de place pour ces jours."
      }`,
    at,
    alsoOutside: true,
  });
}
