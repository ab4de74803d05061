// Who answers an invitation.
import { type RawBuilder, sql } from "kysely";

/**
 * SQL condition on an invitation (alias `i`): a person answers for a child, and for themselves unless
 * somebody is their guardian.
 */
export const answeredBy = (me: number): RawBuilder<boolean> => sql<boolean>`(
  exists (select from current_ties() t where t.guardian_id = ${me} and t.member_id = i.invitee_id
    and t.role = 'child')
  or (i.invitee_id = ${me} and not exists (select from current_ties() t
    where t.member_id = ${me} and t.role = 'child')))`;
