// The end of a day of service: a meal that nobody fetched is an absence and costs what its order froze; one
// that the provider never accepted expires and costs nothing. No hold stays open for a past day.
import { sql } from "kysely";
import { todayInParis } from "#contract/days.ts";
import { formatDayInWords, formatMoney, plural } from "#contract/french.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceMeal } from "./announcements.ts";
import { lockMeals, type MealOrder, pushMealChange } from "./lifecycle.ts";
import { settleHolds } from "./orders.ts";

const most = 100;

/**
 * Closes the meals of past days, in small transactions so that it may stop anywhere and resume; several
 * servers may run it. Returns how many it closed.
 */
export async function closePastMeals(deps: Deps): Promise<number> {
  let closed = 0;
  for (;;) {
    const count = await inTx(deps.db, (tx) => closeSome(tx, deps));
    closed += count;
    if (count < most) return closed;
  }
}

async function closeSome(tx: Tx, deps: Deps): Promise<number> {
  const at = deps.now();
  const { rows } = await sql<{ id: string; unanswered: boolean }>`
    select o.id, o.state = 'reserved' and c.needs_validation as unanswered
    from meal_order o join canteen c on c.id = o.canteen_id
    where o.state in ('reserved', 'validated') and o.on_day < ${todayInParis(at)}::date
    order by o.on_day, o.number limit ${most} for update of o skip locked`.execute(tx);
  const unanswered = new Set(rows.filter((row) => row.unanswered).map(({ id }) => id));
  const orders = await lockMeals(
    tx,
    rows.map(({ id }) => id),
  );
  const absences: { order: MealOrder; costCents: number }[] = [];
  for (const order of orders) {
    const expired = unanswered.has(order.id);
    const costCents = expired ? 0 : Math.round((order.priceCents * order.absencePercent) / 100);
    await settleHolds(tx, order, { costCents, act: "absent", at });
    await sql`update meal_order set state = ${expired ? "expired" : "absent"}, ended_at = ${at},
      charged_cents = ${costCents}, end_reason = ${expired ? "Sans réponse de la cantine" : null}
      where id = ${order.id}`.execute(tx);
    await pushMealChange(tx, order);
    if (!expired) absences.push({ order, costCents });
  }
  for (const [personId, some] of Map.groupBy(absences, ({ order }) => order.personId)) {
    await announceAbsences(tx, deps, personId, some, at);
  }
  return rows.length;
}

async function announceAbsences(
  tx: Tx,
  deps: Deps,
  personId: number,
  absences: readonly { order: MealOrder; costCents: number }[],
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
