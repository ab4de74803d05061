// Published menus against the allergens that people declared; and meals ordered before a warning, which wait
// until they are kept or cancelled.
import { sql } from "kysely";
import type { Allergen } from "#contract/allergies/rows.ts";
import { type AllergenWarning, warningOf } from "#contract/kitchen/dish-allergens.ts";
import { dishesServed } from "#contract/kitchen/served-dishes.ts";
import type { Diet } from "#contract/kitchen/states.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { firstName, formatDayInWords } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { allergensOf, type DeclaredAllergens } from "#server/allergies/allergies.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceMeal } from "./announcements.ts";
import { menusOf } from "#server/kitchen/kitchen.ts";

/** Who eats what: `id` is the caller's own, of a registration or an order. */
export interface Eater {
  id: string;
  providerId: number;
  personId: number;
  diet: Diet;
}

/** « id day » → the warning of the dishes that they are served, over days (ISO, both included). */
export async function warningsOf(
  db: Db,
  eaters: readonly Eater[],
  { from, to }: { from: string; to: string },
): Promise<Map<string, AllergenWarning>> {
  const declared = await allergensOf(db, [...new Set(eaters.map(({ personId }) => personId))]);
  const allergic = eaters.filter(({ personId }) => (declared.get(personId)?.length ?? 0) > 0);
  const warnings = new Map<string, AllergenWarning>();
  for (const [providerId, some] of Map.groupBy(allergic, (one) => one.providerId)) {
    for (const menu of await menusOf(db, providerId, from, to, { published: true })) {
      for (const { id, personId, diet } of some) {
        const warning = warningOf(dishesServed(menu.dishes, diet), declared.get(personId) ?? []);
        if (warning) warnings.set(`${id} ${menu.day}`, warning);
      }
    }
  }
  return warnings;
}

interface ComingMeal extends Eater {
  day: string;
  name: string;
  canteen: string;
}

/** Ordered meals of a person whose service is not over, the nearest first, locked. */
async function comingMealsOf(tx: Tx, personId: number, at: Date): Promise<ComingMeal[]> {
  const { rows } = await sql<ComingMeal>`
    select o.id, c.provider_id, o.person_id, r.diet,
      to_char(o.on_day, 'YYYY-MM-DD') as day, p.name, c.name as canteen
    from meal_order o join canteen c on c.id = o.canteen_id
    join canteen_registration r on r.id = o.registration_id join person p on p.id = o.person_id
    where o.person_id = ${personId} and o.state in ('reserved', 'validated')
      and o.on_day >= ${parisDay(at)}::date
      and (o.on_day + c.serves_until) at time zone 'Europe/Paris' > ${at}::timestamptz
    order by o.number for update of o`.execute(tx);
  return rows.toSorted((one, other) => (one.day < other.day ? -1 : 1));
}

/**
 * After somebody's allergens changed: marks ordered meals for review where their menu contains a new one,
 * unmarks those where it no longer contains any; the guardians are told.
 */
export async function reviewMealsOf(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { personId, before, after, at }: DeclaredAllergens,
): Promise<void> {
  const meals = await comingMealsOf(tx, personId, at);
  const [from, to] = [meals[0]?.day, meals.at(-1)?.day];
  if (!from || !to) return;
  const warnings = await warningsOf(tx, meals, { from, to });
  const isNew = (one: Allergen) => !before.includes(one);
  const warned = meals.filter(({ id, day }) => {
    const warning = warnings.get(`${id} ${day}`);
    if (!warning) return false;
    return warning.allergens.some(isNew) || (warning.undeclared && before.length === 0);
  });
  const calm = meals.filter(({ id, day }) => !warnings.has(`${id} ${day}`));
  await sql`update meal_order set warned_since = null
    where id = any (${calm.map(({ id }) => id)}::uuid[])`.execute(tx);
  if (after.length === 0 || warned.length === 0) return;
  await sql`update meal_order set warned_since = ${at}
    where id = any (${warned.map(({ id }) => id)}::uuid[])`.execute(tx);
  const [first] = warned as [ComingMeal, ...ComingMeal[]];
  const days = [...new Set(warned.map(({ day }) => formatDayInWords(day)))].join(", ");
  await announceMeal(tx, deps, [personId], {
    title: "Des repas commandés sont à revoir",
    body:
      `Ce que vous avez déclaré pour ${firstName(first.name)} est au menu de repas commandés (${days}), ou n’y est ` +
      `pas renseigné. Chacun se garde ou s’annule depuis le suivi.`,
    path: warned.length === 1 ? linkTo(paths.meals, {}, { cancel: first.id }) : paths.meals,
    at,
  });
}

/** Reminds of the next day's meals that still wait to be kept or cancelled, each once; returns how many. */
export async function remindOfWarnedMeals(deps: Deps): Promise<number> {
  const at = deps.now();
  const day = addDays(parisDay(at), 1);
  return await inTx(deps.db, async (tx) => {
    const { rows } = await sql<{ id: string; personId: number; name: string; canteen: string }>`
      with warned as (
        select o.id, o.person_id, c.name as canteen from meal_order o join canteen c on c.id = o.canteen_id
        where o.warned_since is not null and o.on_day = ${day}::date
          and o.state in ('reserved', 'validated')),
      notified as (
        insert into meal_notice (person_id, about, notified_at)
        select person_id, 'warned ' || id, ${at}::timestamptz from warned
        on conflict do nothing returning about)
      select w.id, w.person_id, p.name, w.canteen
      from warned w join notified on notified.about = 'warned ' || w.id join person p on p.id = w.person_id
      order by w.id`.execute(tx);
    for (const { id, personId, name, canteen } of rows) {
      await announceMeal(tx, deps, [personId], {
        title: "Demain à la cantine\u202f: un repas à revoir",
        body:
          `Au menu de demain (${canteen}), ce que vous avez déclaré pour ${firstName(name)} est servi, ou n’est pas ` +
          "renseigné. Gardez ce repas ou annulez-le depuis le suivi.",
        path: linkTo(paths.meals, {}, { cancel: id }),
        alsoOutside: true,
        at,
      });
    }
    return rows.length;
  });
}
