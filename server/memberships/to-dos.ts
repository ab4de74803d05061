// To-dos of memberships on a person's home page.
import { type RawBuilder, sql } from "kysely";
import { paths } from "#contract/paths.ts";
import { sqlLink } from "#server/db/link.ts";
import type { HolderHome } from "#server/portal/portal.ts";

const membershipPath = sqlLink(paths.membership, { code_services: sql.ref("m.service") });

/** SQL: drafts to finish and questions to answer; `id` is the service's code. */
export const membershipToDos = ({ me }: HolderHome): RawBuilder<unknown> => sql`
  select 'membership' as kind, m.service as id, m.person_id,
    case m.state when 'clarification' then 'Service clients' end as "from", m.company_name as what,
    null::timestamptz as until, ${membershipPath} as path
  from membership m
  where m.person_id = ${me} and m.state in ('draft', 'clarification')`;
