// To-dos of first cards.
import { type RawBuilder, sql } from "kysely";
import { paths } from "#contract/paths.ts";
import { sqlAtPlace, sqlLink } from "#server/db/link.ts";

const requestPath = sqlAtPlace(sqlLink(paths.family, {}), "firstCard", sql.ref("r.id"));

/** SQL: refused requests whose notice is not read. */
export const firstCardToDos = ({ me }: { me: number }): RawBuilder<unknown> => sql`
  select 'card_refused' as kind, r.id::text as id, r.guardian_id as person_id, null as "from",
    r.name as what, null::timestamptz as until, ${requestPath} as path
  from first_card_request r
  where r.guardian_id = ${me} and r.state = 'refused' and exists (select from notification n
    where n.person_id = ${me} and n.read_at is null and n.at = r.answered_at
      and n.path in (${sql.lit(paths.family)}, ${requestPath}))`;
