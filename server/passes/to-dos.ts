// To-dos of passes on a person's home page, and the passes shown there.
import { type RawBuilder, sql } from "kysely";
import { paths } from "#contract/paths.ts";
import { sqlLink } from "#server/db/link.ts";
import type { HolderHome } from "#server/portal/portal.ts";
import { stateAt } from "./pass-rows.ts";

const orderPath = sqlLink(paths.passPurchase, {}, { order: sql.ref("o.id") });

/** SQL: one's own open purchases. */
export const passOrderToDos = ({ me }: HolderHome): RawBuilder<unknown> => sql`
  select 'pass_order' as kind, o.id::text as id, o.holder_id as person_id, null as "from",
    f.name as what, null::timestamptz as until,
    ${orderPath} as path
  from pass_order o join fare_product f on f.id = o.product_id
  where o.person_id = ${me} and o.state in ('draft', 'awaiting_payment')`;

/** SQL: passes of persons that are valid, future or suspended. */
export const passesToCome = ({ people, at }: HolderHome): RawBuilder<unknown> => sql`
  select 'pass' as kind, p.id::text as id, p.name as title, array[h.name] as holders,
    (select number from current_card(p.holder_id)) as cardnumber, p.stop_name as place,
    f.group_id as idgroup, 1 as count, p.valid_from as "from", p.valid_until as until,
    ${stateAt(at)} = 'suspended' as suspended
  from pass p join fare_product f on f.id = p.product_id join person h on h.id = p.holder_id
  where p.holder_id = any(${people}::bigint[])
    and ${stateAt(at)} in ('pending', 'active', 'suspended')`;
