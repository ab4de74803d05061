// To-dos of the canteen: a seat that is offered for a while, and an ordered meal whose menu contains a
// declared allergen.
import { type RawBuilder, sql } from "kysely";
import { paths } from "#contract/paths.ts";
import { sqlAtPlace, sqlLink } from "#server/db/link.ts";
import { mayActFor } from "#server/family/family.ts";
import type { HolderHome } from "#server/portal/portal.ts";

const offeredAt = sqlAtPlace(
  sqlLink(
    paths.canteenProvider,
    { name: sql.ref("g.slug"), idgroup: sql.ref("g.id") },
    { week: sql`to_char(date_trunc('week', w.on_day), 'YYYY-MM-DD')` },
  ),
  "mealWait",
  sql.ref("w.id"),
);
const warnedAt = sqlLink(paths.meals, {}, { cancel: sql.ref("o.id") });

/**
 * SQL: seats offered to oneself or a child, with the path of the week where each is ordered, and meals to
 * look at again, with the path where each is kept or cancelled.
 */
export const mealToDos = ({ me, at }: HolderHome): RawBuilder<unknown> => sql`
  select 'meal_offered' as kind, w.id::text as id, r.person_id, null as "from",
    to_char(w.on_day, 'YYYY-MM-DD') as what, w.offered_until as until,
    ${offeredAt} as path
  from meal_wait w join canteen_registration r on r.id = w.registration_id
  join canteen c on c.id = r.canteen_id join canteen_provider v on v.id = c.provider_id
  join acceptance_group g on g.id = v.group_id
  where w.state = 'offered' and w.offered_until > ${at}
    and ${mayActFor(me, sql.ref("r.person_id"))}
  union all
  select 'meal_warned', o.id::text, o.person_id, null, to_char(o.on_day, 'YYYY-MM-DD'),
    (o.on_day + c.serves_from) at time zone 'Europe/Paris', ${warnedAt}
  from meal_order o join canteen c on c.id = o.canteen_id
  where o.warned_since is not null and o.state in ('reserved', 'validated')
    and (o.on_day + c.serves_from) at time zone 'Europe/Paris' > ${at}
    and ${mayActFor(me, sql.ref("o.person_id"))}`;
