// When a person leaves, their meals that are still to be served are cancelled.
import { sql } from "kysely";
import { mealOrderCan } from "#contract/meals/states.ts";
import { formatDate, ofName, plural } from "#contract/french.ts";
import type { Tx } from "#server/db/db.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { announceMeal } from "./announcements.ts";
import { releaseIllnessMeals } from "./illness-certificate.ts";
import { lockMeals } from "./ordered-meals.ts";
import { cancelMeals } from "./orders.ts";
import { endWaits } from "./seat-offers.ts";

const reason = "Compte fermé";

/**
 * Cancels free of charge the meals of a person whose service is not over: holds and seats are released, and
 * each reader of the family is told once.
 */
export async function cancelMealsOfLeaver(
  tx: Tx,
  deps: OperatorDeps,
  { personId, at }: { personId: number; at: Date },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select o.id from meal_order o join canteen c on c.id = o.canteen_id
    where o.person_id = ${personId} and o.state in ('reserved', 'validated')
      and (o.on_day + c.serves_until) at time zone 'Europe/Paris' > ${at}::timestamptz`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await lockServicesToLeave(tx, ids, personId);
  const locked = await lockMeals(tx, ids);
  await releaseIllnessMeals(tx, sql`person_id = ${personId}`, at);
  await endWaits(tx, deps, sql`r.person_id = ${personId}`, { state: "expired", at });
  // One of them may have been served or cancelled since it was read.
  const meals = locked.filter(mealOrderCan.hold);
  const [first] = meals;
  if (!first) return;
  await cancelMeals(
    tx,
    deps,
    meals.map((order) => ({ order, costCents: 0 })),
    { reason, at },
  );
  const days = meals.map(({ onDay }) => onDay).toSorted();
  const concerned = [...new Set(meals.flatMap((meal) => [meal.personId, meal.orderedBy]))];
  await announceMeal(tx, deps, concerned, {
    title: meals.length === 1 ? "Repas annulé" : "Repas annulés",
    body: `${reason}\u202f: ${plural(meals.length, "repas", "repas")} ${ofName(first.person)} ${between(days)} ${
      meals.length === 1 ? "est annulé" : "sont annulés"
    } sans frais. L’argent mis de côté revient sur la cagnotte.`,
    at,
    alsoOutside: true,
  });
}

/** Locks the services of meals and those that a person waits for, all in one order. */
async function lockServicesToLeave(
  tx: Tx,
  mealIds: readonly string[],
  personId: number,
): Promise<void> {
  await sql`select from canteen_day where (canteen_id, on_day) in (
      select canteen_id, on_day from meal_order where id = any (${mealIds}::uuid[])
      union select r.canteen_id, w.on_day from meal_wait w
        join canteen_registration r on r.id = w.registration_id
        where r.person_id = ${personId} and w.state in ('waiting', 'offered'))
    order by canteen_id, on_day for update`.execute(tx);
}

function between(days: readonly string[]): string {
  const [from = "", to = from] = [days[0], days.at(-1)];
  return from === to ? `le ${formatDate(from)}` : `du ${formatDate(from)} au ${formatDate(to)}`;
}
