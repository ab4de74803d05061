// Allergens that a change of menus added: whoever ordered that day and declared one that the menu now contains,
// or that a dish no longer declares, is told how to cancel. The message never names the allergen: it may leave the
// portal.
import { sql } from "kysely";
import type { Diet } from "#contract/kitchen/states.ts";
import { instantOfParis } from "#contract/days.ts";
import { firstName, formatDateTime, formatDayInWords } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { allergensOf } from "#server/allergies/allergies.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceMeal } from "./announcements.ts";
import type { AddedAllergens } from "#server/kitchen/kitchen.ts";

type NotifyDeps = Pick<Deps, "send" | "config">;

interface OrderedMeal {
  id: string;
  personId: number;
  name: string;
  canteen: string;
  day: string;
  diet: Diet;
  servesFrom: string;
}

/** Tells the families whose ordered meals hold what was added, and opens their cancellation again. */
export async function tellAffectedFamilies(
  tx: Tx,
  deps: NotifyDeps,
  { providerId, added, at }: AddedAllergens,
): Promise<void> {
  const days = [...added]
    .filter(([, held]) => held.size > 0)
    .map(([served]) => served.slice(0, 10));
  if (days.length === 0) return;
  const { rows } = await sql<OrderedMeal>`
    select o.id, o.person_id, p.name, c.name as canteen,
      to_char(o.on_day, 'YYYY-MM-DD') as day, r.diet,
      to_char(c.serves_from, 'HH24:MI') as serves_from
    from meal_order o join canteen c on c.id = o.canteen_id join person p on p.id = o.person_id
    join canteen_registration r on r.id = o.registration_id
    where c.provider_id = ${providerId} and o.on_day = any (${days}::date[])
      and o.state in ('reserved', 'validated')
      and (o.on_day + c.serves_until) at time zone 'Europe/Paris' > ${at}::timestamptz
    order by o.on_day, o.number`.execute(tx);
  const declared = await allergensOf(tx, [...new Set(rows.map(({ personId }) => personId))]);
  const holds = ({ personId, day, diet }: OrderedMeal) =>
    declared.get(personId)?.some((one) => added.get(`${day} ${diet}`)?.has(one)) ?? false;
  const isUndeclared = ({ personId, day, diet }: OrderedMeal) =>
    (declared.get(personId)?.length ?? 0) > 0 && added.get(`${day} ${diet}`)?.has("undeclared");
  const concerned = rows.filter((meal) => holds(meal) || isUndeclared(meal));
  // It is not the meal that was ordered: it may be cancelled free of charge until its service begins,
  // whatever the deadline.
  await sql`update meal_order o set warned_since = ${at},
      cancel_until = greatest(o.cancel_until, (o.on_day + c.serves_from) at time zone 'Europe/Paris')
    from canteen c where c.id = o.canteen_id
      and o.id = any (${concerned.map(({ id }) => id)}::uuid[])`.execute(tx);
  for (const meals of Map.groupBy(concerned, ({ personId }) => personId).values()) {
    const held = meals.some(holds);
    await notifyFamily(tx, deps, meals as [OrderedMeal, ...OrderedMeal[]], { held, at });
  }
}

async function notifyFamily(
  tx: Tx,
  deps: NotifyDeps,
  meals: readonly [OrderedMeal, ...OrderedMeal[]],
  { held, at }: { held: boolean; at: Date },
): Promise<void> {
  const [first] = meals;
  const whose = firstName(first.name);
  const what = held
    ? `il contient ce que vous avez déclaré pour ${whose}.`
    : `les allergènes d’un plat n’y sont pas renseignés, et vous en avez déclaré pour ${whose}.`;
  const one = meals.length === 1;
  const when = meals.map(({ day }) => formatDayInWords(day)).join(", ");
  await announceMeal(tx, deps, [first.personId], {
    title: held ? "Un allergène est au menu" : "Des allergènes ne sont pas renseignés",
    body:
      `Le menu a changé (${when}, ${first.canteen})\u202f: ${what} ` +
      (one
        ? cancelWords(first)
        : "Chaque repas se garde, ou s’annule sans frais, depuis le suivi."),
    path: one ? linkTo(paths.meals, {}, { cancel: first.id }) : paths.meals,
    alsoOutside: true,
    at,
  });
}

const cancelWords = ({ day, servesFrom }: OrderedMeal): string =>
  `Vous pouvez annuler ce repas sans frais jusqu’au ${formatDateTime(instantOfParis(day, servesFrom))}.`;
