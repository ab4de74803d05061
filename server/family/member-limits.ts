// Limits on the spending of one card, read and written. Callers check who may do so.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { LimitsView, MemberLimits } from "#contract/family/rows.ts";
import { formatMoney } from "#contract/french.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";

/** The limits of a person's card, the amounts spent and the places to choose from. */
export async function readLimits(
  db: Db,
  { personId, canSet, at }: { personId: number; canSet: boolean; at: Date },
): Promise<LimitsView> {
  const spent = await query(db).one(sql<Omit<LimitsView, "places" | "canSet">>`
    select l.day_cents, l.week_cents, l.groups,
      spent.day_cents as spent_day_cents, spent.week_cents as spent_week_cents
    from member_spent(${personId}, ${at}) spent
    left join member_limit l on l.person_id = ${personId} and limit_counts(l.person_id)`);
  const places = await db
    .selectFrom("acceptanceGroup")
    .select(["id as idgroup", "name", "rule"])
    .orderBy("id")
    .execute();
  return { ...spent, places, canSet };
}

/** What a card may still spend within its limits: null where there is none. */
export interface LimitsLeft {
  dayCents: number | null;
  weekCents: number | null;
  /**
   * The places where it pays; with places it sends nothing, since a transfer happens in none of them. Null:
   * everywhere.
   */
  groups: number[] | null;
}

/** SQL: `LimitsLeft` of a person at an instant, null for a person without limits. Not locked. */
export const limitsLeftSql = (
  person: RawBuilder<unknown>,
  at: Date,
): RawBuilder<LimitsLeft | null> => sql<LimitsLeft | null>`(
  select jsonb_build_object('dayCents', m.day_cents - spent.day_cents,
    'weekCents', m.week_cents - spent.week_cents, 'groups', m.groups)
  from member_limit m cross join lateral member_spent(m.person_id, ${at}) spent
  where m.person_id = ${person} and limit_counts(m.person_id))`;

/**
 * Refuses spending beyond the limits, in the order of `member_refusal`, the guard in the database:
 * `limit_place`, `limit_day`, `limit_week`.
 */
export function requireLimitsAllow(left: LimitsLeft, amountCents: number): void {
  if (left.groups !== null) throw new Problem("limit_place");
  if (left.dayCents !== null && amountCents > left.dayCents) throw new Problem("limit_day");
  if (left.weekCents !== null && amountCents > left.weekCents) throw new Problem("limit_week");
}

/** What limits leave to be spent in a place, or sent where none is given: null without a limit. */
export function centsLeft(left: LimitsLeft | null, groupId: number | null): number | null {
  if (left === null) return null;
  const { dayCents, weekCents, groups } = left;
  if (groups !== null && (groupId === null || !groups.includes(groupId))) return 0;
  const bounds = [dayCents, weekCents].filter((cents) => cents !== null);
  return bounds.length === 0 ? null : Math.max(0, Math.min(...bounds));
}

/**
 * Writes the limits of a person's card, or removes them when all are null; `by` is who sets them. Refuses
 * `limit_unknown_place`, and `limit_order` where a day exceeds the week.
 */
export async function writeLimits(
  tx: Tx,
  { personId, by, limits, at }: { personId: number; by: number; limits: MemberLimits; at: Date },
): Promise<void> {
  const { dayCents, weekCents, groups } = limits;
  if (dayCents === null && weekCents === null && groups === null) {
    await tx.deleteFrom("memberLimit").where("personId", "=", personId).execute();
    return;
  }
  const { rows } = await sql`select from unnest(${groups ?? []}::int[]) one
    where not exists (select from acceptance_group where id = one)`.execute(tx);
  if (rows.length > 0) throw new Problem("limit_unknown_place");
  await sql`insert into member_limit (person_id, day_cents, week_cents, groups, set_by, set_at)
    values (${personId}, ${dayCents}, ${weekCents}, ${groups}::int[], ${by}, ${at})
    on conflict (person_id) do update set day_cents = excluded.day_cents,
      week_cents = excluded.week_cents, groups = excluded.groups, set_by = excluded.set_by,
      set_at = excluded.set_at`.execute(tx);
}

/** Limits in the words of a message: « 30 € par jour, 100 € par semaine ». */
export function limitWords({ dayCents, weekCents, groups }: MemberLimits): string {
  const parts = [
    dayCents === null ? null : `${formatMoney(dayCents)} par jour`,
    weekCents === null ? null : `${formatMoney(weekCents)} par semaine`,
    groups === null ? null : "dans les lieux choisis",
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(", ") : "sans plafond";
}
