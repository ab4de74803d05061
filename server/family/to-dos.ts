// To-dos of the family.
import { type RawBuilder, sql } from "kysely";
import { paths } from "#contract/paths.ts";
import type { TabOf } from "#contract/searches.ts";
import { sqlAtPlace, sqlLink } from "#server/db/link.ts";
import { answeredBy } from "./answered-by.ts";

const invitationPath = sqlAtPlace(sqlLink(paths.family, {}), "invitation", sql.ref("i.id"));
const custodyPath = sqlAtPlace(
  sqlLink(
    paths.familyMember,
    { cardnumber: sql`(select number from current_card(c.child_id))` },
    { tab: sql.lit("garde" satisfies TabOf<"familyMember">) },
  ),
  "custody",
  sql.ref("c.id"),
);

/** SQL: open invitations that a person answers, and custody proposed to them. */
export const familyToDos = ({ me, at }: { me: number; at: Date }): RawBuilder<unknown> => sql`
  select 'invitation' as kind, i.id::text as id, i.invitee_id as person_id, inviter.name as "from",
    i.role as what, i.expires_at as until, ${invitationPath} as path
  from family_invitation i
  join person inviter on inviter.id = i.inviter_id and inviter.disabled_at is null
  where i.state = 'open' and i.expires_at > ${at} and ${answeredBy(me)} and i.inviter_id <> ${me}
  union all
  select 'custody', c.id::text, c.child_id, proposer.name, c.kind, null,
    ${custodyPath}
  from custody c join person proposer on proposer.id = c.proposed_by
  where c.proposed_to = ${me} and c.state = 'proposed'
    and exists (select from current_ties() t where t.guardian_id = ${me} and t.member_id = c.child_id
      and t.role = 'child')
    and (c.to_on is null or c.to_on >= paris_day(${at}::timestamptz))`;
