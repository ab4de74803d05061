// The library of dishes: those of a provider's latest menus, one for each name, with the allergens that were declared
// of it. Bounded: so many menus back, by the index of their days, whatever the provider's past.
import { sql } from "kysely";
import { allergens } from "#contract/allergies/rows.ts";
import type { PastDish } from "#contract/kitchen/dish-library.ts";
import { dishLibrary as bounds } from "#contract/kitchen/limits.ts";
import type { ProviderCall } from "./canteens.ts";

/** The caller's past dishes whose name holds each word of `q`, the most served first, then the latest. */
export async function readDishLibrary({
  deps,
  provider,
  input: { q = "" },
}: ProviderCall<{ q?: string | undefined }>): Promise<{ items: PastDish[]; more: boolean }> {
  const words = q.trim().split(/\s+/).filter(Boolean);
  const { rows } = await sql<PastDish>`
    with latest as (
      select id, on_day from canteen_menu where provider_id = ${provider.id}
      order by on_day desc limit ${bounds.menus}
    ), served as (
      select d.course, d.name, d.labels, d.price_cents, latest.on_day, d.place,
        lower(unaccent(regexp_replace(btrim(d.name), '[[:space:]]+', ' ', 'g'))) as spelling,
        -- Declared in another order, they are the same: they stand in the order of the regulation.
        case when d.allergens is not null then array(select one from unnest(d.allergens) one
          order by array_position(${allergens}::text[], one)) end as declared
      from latest join canteen_dish d on d.menu_id = latest.id
    ), found as (
      select spelling, count(*)::int as times, max(on_day) as last_day from served
      where not exists (select from unnest(${words}::text[]) word
        where strpos(spelling, lower(unaccent(word))) = 0)
      group by spelling order by times desc, last_day desc, spelling limit ${bounds.items + 1}
    ), last as (
      select distinct on (spelling) spelling, name, course, labels, price_cents from served
      order by spelling, on_day desc, place
    ), ranked as (
      select spelling, declared, max(on_day) as last_day,
        row_number() over (partition by spelling order by max(on_day) desc) as rank
      from served where declared is not null group by spelling, declared
    ), declared as (
      select spelling, json_agg(json_build_object('allergens', declared, 'lastDay', last_day)
        order by rank) as declarations
      from ranked where rank <= ${bounds.declarations} group by spelling
    )
    select last.name, last.course, last.labels, last.price_cents, found.times,
      to_char(found.last_day, 'YYYY-MM-DD') as last_day,
      coalesce(declared.declarations, '[]') as declarations
    from found join last using (spelling) left join declared using (spelling)
    order by found.times desc, found.last_day desc, spelling`.execute(deps.db);
  return { items: rows.slice(0, bounds.items), more: rows.length > bounds.items };
}
