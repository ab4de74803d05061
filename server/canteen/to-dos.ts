// What of the canteen waits for a person: a seat that was freed and is kept for them for a while.
import { type RawBuilder, sql } from "kysely";
import { mayActFor } from "#server/family/family.ts";

/** SQL: seats offered to oneself or a child, and the path of the week where each is ordered. */
export const mealToDos = (me: number, at: Date): RawBuilder<unknown> => sql`
  select 'meal_offered' as kind, w.id::text as id, r.person_id, null as "from",
    to_char(w.on_day, 'YYYY-MM-DD') as what, w.offered_until as until,
    '/commande/cantine/' || g.slug || '/' || g.id || '?semaine='
      || to_char(date_trunc('week', w.on_day), 'YYYY-MM-DD') as path
  from meal_wait w join canteen_registration r on r.id = w.registration_id
  join canteen c on c.id = r.canteen_id join canteen_provider v on v.id = c.provider_id
  join acceptance_group g on g.id = v.group_id
  where w.state = 'offered' and w.offered_until > ${at}
    and ${mayActFor(me, sql.ref("r.person_id"))}`;
