// The members of a family, and how a tie ends.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { ofName } from "#contract/french.ts";
import type { Member } from "#contract/family/rows.ts";
import { paths } from "#contract/paths.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import { auditAct } from "#server/identity/identity.ts";
import { announce, type Announcement } from "#server/notifications/notifications.ts";
import { familyOfSql, guardiansOf, lockTiesOf } from "./family.ts";

/** The part of a call that the family needs. */
export interface FamilyCall<Input> {
  deps: Deps;
  caller: Caller;
  origin: Origin;
  input: Input;
}

/** The members of a person's family; `cardnumber` keeps the one who has that card. */
export async function membersOf(db: Db, me: number, cardnumber?: number): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select card.number as cardnumber, person.name, f.relation, card.state, person.avatar,
      array(select p.name from current_ties() t join person p on p.id = t.guardian_id
          where f.relation = 'child' and t.member_id = f.person_id and t.role = 'child'
            and t.guardian_id <> ${me}
        union
        select p.name from current_ties() mine
          join current_ties() theirs on theirs.member_id = mine.member_id
          join person p on p.id = mine.member_id
          where f.relation = 'relative' and mine.guardian_id = ${me} and mine.role = 'child'
            and theirs.guardian_id = f.person_id and theirs.role = 'child'
        order by 1) as shares,
      case f.relation
        when 'child' then exists (select from current_ties() t where t.member_id = f.person_id
          and t.role = 'child' and t.guardian_id <> ${me})
        when 'relative' then exists (select from current_ties() t where t.role = 'relative'
          and (t.guardian_id, t.member_id) in ((${me}, f.person_id), (f.person_id, ${me})))
        else false end as can_leave
    from ${familyOfSql(me)} f
    join person on person.id = f.person_id and person.disabled_at is null
    cross join lateral current_card(f.person_id) card
    where (${cardnumber ?? null}::bigint is null or card.number = ${cardnumber ?? null}::bigint)
    order by array_position('{child,guardian,relative}', f.relation),
      person.name collate "fr-x-icu", card.number`.execute(db);
  return rows;
}

/**
 * Ends the tie with the person who has a card: that of a relative from either side, that of a
 * guardian while another one remains (`family_last_guardian`). Any other card is `not_found`.
 */
export async function leave({
  deps,
  caller,
  origin,
  input,
}: FamilyCall<{ cardnumber: number }>): Promise<{ message: string }> {
  const me = caller.personId;
  return await inTx(deps.db, async (tx) => {
    const [member] = await membersOf(tx, me, input.cardnumber);
    if (!member || member.relation === "guardian") throw new Problem("not_found");
    const { personId: other } = await tx
      .selectFrom("card")
      .select("personId")
      .where("number", "=", input.cardnumber)
      .executeTakeFirstOrThrow();
    if (member.relation === "child") await requireOtherGuardian(tx, me, other);
    const { numDeletedRows } =
      member.relation === "child"
        ? await tx
            .deleteFrom("familyTie")
            .where("guardianId", "=", me)
            .where("memberId", "=", other)
            .executeTakeFirst()
        : await tx
            .deleteFrom("familyTie")
            .where(sql<boolean>`(guardian_id, member_id) in ((${me}, ${other}), (${other}, ${me}))`)
            .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Problem("not_found");
    const at = deps.now();
    const details = { name: member.name };
    await auditAct(tx, { caller, origin }, "family.leave", { details, at });
    const readers = member.relation === "child" ? await guardiansOf(tx, other) : [other];
    const what = member.relation === "child" ? `la carte ${ofName(member.name)}` : "votre famille";
    await announceToFamily(tx, deps, readers, {
      title: "Famille modifiée",
      body: `${caller.name} n'est plus rattaché à ${what}.`,
      at,
    });
    return { message: `${member.name} n'est plus dans votre famille.` };
  });
}

// The child's ties are locked first: of two guardians who leave at once, one stays.
async function requireOtherGuardian(tx: Tx, me: number, child: number): Promise<void> {
  const ties = await lockTiesOf(tx, child);
  const isOther = (tie: (typeof ties)[number]) => tie.role === "child" && tie.guardianId !== me;
  if (!ties.some(isOther)) throw new Problem("family_last_guardian");
}

/** Announces news of the family to several persons; their open screens read it again. */
export async function announceToFamily(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  readers: readonly number[],
  news: Pick<Announcement, "title" | "body" | "at" | "channels"> & { path?: string },
): Promise<void> {
  await announce(tx, deps, {
    path: paths.family,
    ...news,
    to: readers,
    about: "family",
    changed: ["family", "cards", "custody"],
  });
}
