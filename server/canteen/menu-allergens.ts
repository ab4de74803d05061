// A published menu that changes: whoever ordered that day and declared an allergen that the menu now
// contains, or that a dish no longer declares, is told how to cancel. The message never names the allergen:
// it may leave the portal.
import { sql } from "kysely";
import type { Allergen } from "#contract/allergies/rows.ts";
import type { Dish } from "#contract/canteen/menus.ts";
import { dishesServed } from "#contract/canteen/served-dishes.ts";
import { type Diet, diets } from "#contract/canteen/states.ts";
import { instantOfParis } from "#contract/days.ts";
import { firstName, formatDateTime, formatDayInWords } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { allergensOf } from "#server/allergies/allergies.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceMeal } from "./announcements.ts";

type NotifyDeps = Pick<Deps, "send" | "config">;

/** Days of menus of a provider, ISO dates, both included. */
interface MenuDays {
  providerId: number;
  from: string;
  to: string;
}

/**
 * Changes menus, then tells people about allergens that families could not see before. Orders wait meanwhile:
 * one placed at the same moment either asks for confirmation or is told.
 */
export async function tellNewAllergens<T>(
  tx: Tx,
  deps: NotifyDeps,
  days: MenuDays & { at: Date },
  change: () => Promise<T>,
): Promise<T> {
  await sql`select from canteen where provider_id = ${days.providerId} order by id
    for no key update`.execute(tx);
  const before = await publishedAllergens(tx, days);
  const answer = await change();
  const after = await publishedAllergens(tx, days);
  const added = new Map(
    [...after].map(([served, allergens]) => [
      served,
      new Set([...allergens].filter((one) => !before.get(served)?.has(one))),
    ]),
  );
  await notifyAffectedFamilies(tx, deps, { ...days, added });
  return answer;
}

type AddedAllergen = Allergen | "undeclared";

/** « day diet » → the warning of the published dishes that are served to this diet. */
async function publishedAllergens(
  tx: Tx,
  { providerId, from, to }: MenuDays,
): Promise<Map<string, Set<AddedAllergen>>> {
  const { rows } = await sql<Pick<Dish, "course" | "diets" | "allergens"> & { day: string }>`
    select to_char(m.on_day, 'YYYY-MM-DD') as day, d.course, d.diets, d.allergens
    from canteen_menu m join canteen_dish d on d.menu_id = m.id
    where m.provider_id = ${providerId} and m.on_day between ${from}::date and ${to}::date
      and m.published_at is not null`.execute(tx);
  return new Map(
    [...Map.groupBy(rows, ({ day }) => day)].flatMap(([day, dishes]) =>
      diets.map((diet): [string, Set<AddedAllergen>] => [
        `${day} ${diet}`,
        new Set(
          dishesServed(dishes, diet).flatMap(
            ({ allergens }): AddedAllergen[] => allergens ?? ["undeclared"],
          ),
        ),
      ]),
    ),
  );
}

interface OrderedMeal {
  id: string;
  personId: number;
  name: string;
  canteen: string;
  day: string;
  diet: Diet;
  servesFrom: string;
}

async function notifyAffectedFamilies(
  tx: Tx,
  deps: NotifyDeps,
  { providerId, added, at }: MenuDays & { added: Map<string, Set<AddedAllergen>>; at: Date },
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
