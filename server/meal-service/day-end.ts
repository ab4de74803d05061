// The end of a day of service: a meal that nobody fetched is an absence and costs what its order froze; one
// that the provider never accepted expires and costs nothing. No hold stays open for a past day.
import { sql } from "kysely";
import { todayInParis } from "#contract/days.ts";
import { formatDayInWords, formatMoney, plural } from "#contract/french.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import {
  announceMeal,
  lockMeals,
  type MealCost,
  type MealOrder,
  pushMealChanges,
  settleHolds,
} from "#server/meals/meals.ts";

const max = 100;

/**
 * Closes the meals of past days, in small transactions so that it may stop anywhere and resume; several
 * servers may run it. Returns how many it closed.
 */
export async function closePastMeals(deps: Deps): Promise<number> {
  let closed = 0;
  for (;;) {
    const count = await inTx(deps.db, (tx) => closeSome(tx, deps));
    closed += count;
    if (count < max) return closed;
  }
}

async function closeSome(tx: Tx, deps: Deps): Promise<number> {
  const at = deps.now();
  const { rows } = await sql<{ id: string; unanswered: boolean }>`
    select o.id, o.state = 'reserved' and c.needs_validation as unanswered
    from meal_order o join canteen c on c.id = o.canteen_id
    where o.state in ('reserved', 'validated') and o.on_day < ${todayInParis(at)}::date
    order by o.on_day, o.number limit ${max} for update of o skip locked`.execute(tx);
  const unanswered = new Set(rows.filter((row) => row.unanswered).map(({ id }) => id));
  const orders = await lockMeals(
    tx,
    rows.map(({ id }) => id),
  );
  const isExpired = ({ id }: MealOrder) => unanswered.has(id);
  const meals = orders.map((order) => {
    const percent = isExpired(order) ? 0 : order.absencePercent;
    return { order, costCents: Math.round((order.priceCents * percent) / 100) };
  });
  await settleHolds(tx, meals, { act: "absent", at });
  await sql`update meal_order o set state = case when ended.expired then 'expired' else 'absent' end,
      ended_at = ${at}, charged_cents = ended.cost,
      end_reason = case when ended.expired then 'Sans réponse de la cantine' end
    from unnest(${orders.map(({ id }) => id)}::uuid[],
      ${meals.map(({ costCents }) => costCents)}::int[],
      ${orders.map(isExpired)}::boolean[]) as ended (id, cost, expired)
    where o.id = ended.id`.execute(tx);
  await pushMealChanges(tx, orders);
  const absences = meals.filter(({ order }) => !isExpired(order));
  for (const [personId, some] of Map.groupBy(absences, ({ order }) => order.personId)) {
    await announceAbsences(tx, deps, personId, some, at);
  }
  return rows.length;
}

async function announceAbsences(
  tx: Tx,
  deps: Deps,
  personId: number,
  absences: readonly MealCost[],
  at: Date,
): Promise<void> {
  const [first] = absences;
  if (!first) return;
  const cost = absences.reduce((sum, { costCents }) => sum + costCents, 0);
  const days = absences.map(({ order }) => formatDayInWords(order.onDay)).join(", ");
  const charged = cost === 0 ? "Rien n’est retenu." : `${formatMoney(cost)} sont retenus.`;
  await announceMeal(tx, deps, [personId], {
    title: "Absence à la cantine",
    body: `${first.order.person} : ${plural(absences.length, "repas commandé n’a pas été pris", "repas commandés n’ont pas été pris")} (${days}). ${charged}`,
    at,
  });
}
