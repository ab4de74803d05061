// Who of a family a canteen may register: shown before somebody is chosen, and refused by the same
// conditions.
import { type RawBuilder, sql } from "kysely";
import type { RegistrationBar } from "#contract/meals/registrations.ts";
import { parisDay } from "#contract/days.ts";
import { canteen as limits } from "#contract/limits.ts";
import type { Db } from "#server/db/db.ts";
import { schoolRightEnd } from "#server/entitlements/entitlements.ts";

/**
 * SQL query: requests and registrations of the person at the canteen of `of` that last beyond a day, or
 * without end. Without a day, any of them.
 */
export const laterThan = (of: string, day: RawBuilder<unknown>) => sql`
  select from canteen_registration later
  where later.canteen_id = ${sql.ref(`${of}.canteen_id`)} and later.person_id = ${sql.ref(`${of}.person_id`)}
    and later.state in ('requested', 'accepted')
    and coalesce(later.until_on > ${day}, true)`;

/**
 * SQL: whether a school may have a person among its pupils. A person of unknown birth date may be one, unless
 * they are a guardian.
 */
export const mayBePupil = (person: RawBuilder<unknown>, today: string) => sql<boolean>`(
  select case when p.born_on is null
    then not exists (select from current_ties() where guardian_id = p.id and role = 'child')
    else p.born_on > ${today}::date - make_interval(years => ${limits.oldestPupil + 1}) end
  from person p where p.id = ${person})`;

/** Reasons that keep a person or one of their children from being registered, by canteen of a provider. */
export async function barsOf(
  db: Db,
  { providerId, me, at }: { providerId: number; me: number; at: Date },
): Promise<Map<string, RegistrationBar[]>> {
  const today = parisDay(at);
  const { rows } = await sql<RegistrationBar & { canteen: string }>`
    select candidate.canteen_id as canteen, card.number as cardnumber, bar.why
    from (select c.id as canteen_id, rider.id as person_id, c.kind = 'school' as school,
        case when c.kind = 'school' then ${schoolRightEnd(sql`${today}::date`)} end as until_on
      from canteen c cross join (select ${me}::bigint as id union select member_id
        from current_ties() where guardian_id = ${me} and role = 'child') rider
      where c.provider_id = ${providerId}) candidate
    cross join lateral current_card(candidate.person_id) card
    cross join lateral (select case
      when candidate.person_id = ${me} and exists (select from current_ties()
        where member_id = ${me} and role = 'child') then 'minor'
      when candidate.school and not ${mayBePupil(sql.ref("candidate.person_id"), today)} then 'not_pupil'
      when exists (${laterThan("candidate", sql`candidate.until_on - 1`)}) then 'registered' end as why) bar
    where bar.why is not null`.execute(db);
  const found = new Map<string, RegistrationBar[]>();
  for (const { canteen, cardnumber, why } of rows)
    found.set(canteen, [...(found.get(canteen) ?? []), { cardnumber, why }]);
  return found;
}
