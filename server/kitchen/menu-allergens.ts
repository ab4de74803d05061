// A published menu that changes: which allergens its dishes now contain, or no longer declare, that families could
// not see before. Whoever ordered on those days is told by the room of their meals.
import { sql } from "kysely";
import type { Allergen } from "#contract/allergies/rows.ts";
import type { Dish } from "#contract/kitchen/menus.ts";
import { dishesServed } from "#contract/kitchen/served-dishes.ts";
import { diets } from "#contract/kitchen/states.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";

type NotifyDeps = Pick<Deps, "send" | "config">;

/** Days of menus of a provider, ISO dates, both included. */
interface MenuDays {
  providerId: number;
  from: string;
  to: string;
}

export type AddedAllergen = Allergen | "undeclared";

/** What a change of menus added, by « day diet »: the allergens of the dishes that are served to this diet. */
export interface AddedAllergens {
  providerId: number;
  added: ReadonlyMap<string, ReadonlySet<AddedAllergen>>;
  at: Date;
}

/** Called in the transaction of a change of published menus. */
export const onAllergensAdded: ((
  tx: Tx,
  deps: NotifyDeps,
  change: AddedAllergens,
) => Promise<void>)[] = [];

/**
 * Changes menus, then calls `onAllergensAdded` with the allergens that families could not see before. Orders wait
 * meanwhile: one placed at the same moment either asks for confirmation or is among those that the hook finds.
 */
export async function withAddedAllergens<T>(
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
  const { providerId, at } = days;
  for (const step of onAllergensAdded) await step(tx, deps, { providerId, added, at });
  return answer;
}

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
