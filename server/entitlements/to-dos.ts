// To-dos of proofs.
import { type RawBuilder, sql } from "kysely";
import { entitlements as limits } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { sqlAtPlace, sqlLink } from "#server/db/link.ts";
import { mayActFor } from "#server/family/family.ts";
import type { HolderHome } from "#server/portal/portal.ts";

const proofPath = sqlAtPlace(sqlLink(paths.entitlements, {}), "proof", sql.ref("p.id"));

/**
 * SQL: proofs that one sent and that were refused, and those about oneself or a child that end within
 * 30 days or ended as recently, while nothing newer was sent. Whoever has a guardian sends nothing.
 */
export const proofToDos = ({ me, at }: HolderHome): RawBuilder<unknown> => sql`
  select case p.state when 'refused' then 'proof_refused' else 'proof_ending' end as kind,
    p.id::text as id, p.person_id, null as "from", p.kind as what,
    p.valid_until::timestamp at time zone 'Europe/Paris' as until,
    ${proofPath} as path
  from proof p
  where ${mayActFor(me, sql.ref("p.person_id"))}
    and not exists (select from current_ties() t where t.member_id = ${me} and t.role = 'child')
    and not exists (select from proof n where n.person_id = p.person_id and n.kind = p.kind
      and n.state <> 'withdrawn' and n.number > p.number)
    and ((p.state = 'refused' and p.sent_by = ${me}
        and p.answered_at > ${at}::timestamptz - interval '60 days')
      or (p.state = 'validated' and p.valid_until between
        paris_day(${at}::timestamptz) - ${limits.renewalDays}::int
        and paris_day(${at}::timestamptz) + ${limits.renewalDays}::int))`;
