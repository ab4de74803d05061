// What a guardian lets a child's card spend: by day, by week, and where. The wallet refuses by it.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { LimitsView, MemberLimits } from "#contract/family/rows.ts";
import { formatMoney } from "#contract/french.ts";
import { inTx, type Db } from "#server/db/db.ts";
import { audit } from "#server/identity/identity.ts";
import { guardiansOf, holderFor } from "./family.ts";
import { type FamilyCall, announceToFamily } from "./members.ts";

/** The limits of one's own card or of one's child's, and what was spent. Else `not_found`. */
export async function limitsView({
  deps,
  caller,
  input,
}: FamilyCall<{ cardnumber: number }>): Promise<LimitsView> {
  const { id: personId } = await holderFor(deps.db, caller.personId, input.cardnumber);
  return await limitsOf(deps.db, { personId, me: caller.personId, at: deps.now() });
}

async function limitsOf(
  db: Db,
  { personId, me, at }: { personId: number; me: number; at: Date },
): Promise<LimitsView> {
  const { rows } = await sql<Omit<LimitsView, "places" | "canSet">>`
    select l.day_cents as "dayCents", l.week_cents as "weekCents", l.groups,
      spent.day_cents as "spentDayCents", spent.week_cents as "spentWeekCents"
    from member_spent(${personId}, ${at}) spent
    left join member_limit l on l.person_id = ${personId}`.execute(db);
  const places = await db
    .selectFrom("acceptance_group")
    .select(["id as idgroup", "name", "rule"])
    .orderBy("id")
    .execute();
  return { ...(rows[0] as (typeof rows)[number]), places, canSet: personId !== me };
}

/**
 * Sets the limits of a child's card, or takes them off when all are null; the child and the other
 * guardians are told. The holder's own are for a guardian to set: `family_minor`.
 */
export function setLimits({
  deps,
  caller,
  origin,
  input,
}: FamilyCall<{ cardnumber: number; limits: MemberLimits }>): Promise<LimitsView> {
  const me = caller.personId;
  const { dayCents, weekCents, groups } = input.limits;
  return inTx(deps.db, async (tx) => {
    const { id: personId, name } = await holderFor(tx, me, input.cardnumber);
    if (personId === me) throw new Problem("family_minor");
    const at = deps.now();
    if (dayCents === null && weekCents === null && groups === null) {
      await tx.deleteFrom("member_limit").where("person_id", "=", personId).execute();
    } else {
      const { rows } = await sql`select from unnest(${groups ?? []}::int[]) one
        where not exists (select from acceptance_group where id = one)`.execute(tx);
      if (rows.length > 0) throw new Problem("limit_unknown_place");
      await sql`insert into member_limit (person_id, day_cents, week_cents, groups, set_by, set_at)
        values (${personId}, ${dayCents}, ${weekCents}, ${groups}::int[], ${me}, ${at})
        on conflict (person_id) do update set day_cents = excluded.day_cents,
          week_cents = excluded.week_cents, groups = excluded.groups, set_by = excluded.set_by,
          set_at = excluded.set_at`.execute(tx);
    }
    const line = { personId, action: "family.limits", actor: `guardian:${me}`, at };
    await audit(tx, { ...line, address: origin.address, details: { dayCents, weekCents } });
    const readers = [personId, ...(await guardiansOf(tx, personId))].filter((one) => one !== me);
    const body = `${caller.name} a changé ce que la carte de ${name} peut dépenser : ${words(input.limits)}.`;
    await announceToFamily(tx, deps, readers, { title: "Plafonds changés", body, at });
    return await limitsOf(tx, { personId, me, at });
  });
}

function words({ dayCents, weekCents, groups }: MemberLimits): string {
  const parts = [
    dayCents === null ? null : `${formatMoney(dayCents)} par jour`,
    weekCents === null ? null : `${formatMoney(weekCents)} par semaine`,
    groups === null ? null : "dans les lieux choisis",
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(", ") : "sans plafond";
}
