// Entitlements own what reduces a price or opens a right: the family quotient of a household and the
// proofs of persons, validated by the operator until a day. Only a validated proof counts, and one
// household never reads another's.
import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { guardiansOf } from "#server/family/family.ts";
import { auditOperator } from "#server/identity/identity.ts";
import { askRenewals, eraseFiles } from "./renewals.ts";

export interface Quotient {
  /** Whole euros a month, as the CAF writes it. */
  value: number;
  /** Its last day (YYYY-MM-DD), null when it has none. */
  validUntil: string | null;
}

/**
 * The validated family quotient that counts for a person on a day (YYYY-MM-DD), null without one: of an adult
 * their own household's, of a child the lowest of its guardians'
 * (server/entitlements/README.md#family-quotient). It decides a price; the payer may belong to another
 * household, to which the value itself must not be shown.
 */
export async function quotientOf(
  db: Db,
  personId: number,
  onDay: string,
): Promise<Quotient | null> {
  return await query(db).maybeOne(sql<Quotient>`${householdQuotient(personId, onDay)}`);
}

/**
 * SQL: the value of `quotientOf` for many at once. `personDays` is a subquery of columns `person_id` and
 * `on_day`; columns `person_id`, `on_day` and `value`, persons without one left out.
 */
export const quotientsOf = (personDays: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  with target as materialized (select distinct person_id, on_day from ${personDays} input),
  household as materialized (
    select a.person_id, t.guardian_id as id from (select distinct person_id from target) a
      join current_ties() t on t.member_id = a.person_id and t.role = 'child'
    union all select a.person_id, a.person_id from (select distinct person_id from target) a
      where not exists (
        select from current_ties() t where t.member_id = a.person_id and t.role = 'child')),
  counting as materialized (
    select distinct on (p.person_id, d.on_day) p.person_id, d.on_day, p.quotient
    from (select distinct id from household) h
    join proof p on p.person_id = h.id and p.kind = 'quotient' and p.state = 'validated'
    join (select distinct on_day from target) d on p.valid_from <= d.on_day
      and (p.valid_until is null or p.valid_until >= d.on_day)
    order by p.person_id, d.on_day, p.number desc)
  select h.person_id, c.on_day, min(c.quotient) as value
  from household h join counting c on c.person_id = h.id group by h.person_id, c.on_day)`;

const householdQuotient = (person: number, onDay: string) => sql`
  with guardian as materialized (
    select guardian_id as id from current_ties() where member_id = ${person} and role = 'child'),
  household as (
    select id from guardian
    union all select ${person}::bigint where not exists (select from guardian))
  select p.quotient as value, p.valid_until from household h
  cross join lateral (${counting(sql.ref("h.id"), "quotient", onDay)}) p
  order by p.quotient, p.valid_until desc limit 1`;

// Of the proofs of one kind that count on a day, the one sent last.
const counting = (person: number | RawBuilder<unknown>, kind: string, onDay: string) => sql`
  select quotient, valid_until from proof
  where person_id = ${person} and kind = ${kind} and state = 'validated'
    and valid_from <= ${onDay}::date and (valid_until is null or valid_until >= ${onDay}::date)
  order by number desc limit 1`;

/**
 * SQL date: until when a right requested on a day counts when it counts for a school year, a proof or a
 * registration at a canteen: 31 August of that year; from 1 June on, of the next one.
 */
export const schoolRightEnd = (day: RawBuilder<unknown>) => sql`make_date(
  extract(year from ${day})::int + case when extract(month from ${day}) >= 6 then 1 else 0 end, 8, 31)`;

/**
 * Records a quotient (whole euros a month) that the operator read on an attestation as the household's own,
 * as a proof validated at once: it counts from the day the attestation was sent. The household is the
 * person's; for a child, that of the guardian who sent it. `operator` is the name kept in the trail.
 */
export async function recordQuotient(
  tx: Tx,
  {
    personId,
    sentBy,
    quotient,
    sentAt,
    operator,
    at,
  }: {
    personId: number;
    sentBy: number;
    quotient: number;
    sentAt: Date;
    operator: string;
    at: Date;
  },
): Promise<void> {
  const guardians = await guardiansOf(tx, personId);
  const [anyGuardian = personId] = guardians;
  const household = guardians.includes(sentBy) ? sentBy : anyGuardian;
  await sql`
    insert into proof (person_id, sent_by, kind, state, quotient, sent_at, answered_at, valid_from,
      valid_until)
    select ${household}, ${sentBy}, 'quotient', 'validated', ${quotient}::int, ${sentAt}, ${at}, sent,
      ${schoolRightEnd(sql.ref("sent"))}
    from (select paris_day(${sentAt}::timestamptz) as sent) day`.execute(tx);
  await auditOperator(tx, operator, "proof.validated", {
    personId: household,
    details: { kind: "quotient" },
    at,
  });
}

export interface Profile {
  /** In whole years on that day, null when the day of birth is not known. */
  age: number | null;
  /** Whether a certificate of schooling counts on that day. */
  student: boolean;
  /** Whether a proof of disability counts on that day. */
  disability: boolean;
  /** As `quotientOf`. */
  quotient: number | null;
}

/** Facts about a person on a day (YYYY-MM-DD) that prices by profile depend on. */
export async function profileOf(db: Db, personId: number, onDay: string): Promise<Profile> {
  const found = await query(db).maybeOne(sql<Profile>`
    select extract(year from age(${onDay}::date, born_on))::int as age,
      exists (${counting(personId, "schooling", onDay)}) as student,
      exists (${counting(personId, "disability", onDay)}) as disability,
      (select value from (${householdQuotient(personId, onDay)}) counted) as quotient
    from person where id = ${personId}`);
  return found ?? { age: null, student: false, disability: false, quotient: null };
}

/** The jobs of this room. */
export function entitlementTasks(deps: Deps) {
  return {
    ask_renewals: () => askRenewals(deps),
    erase_proof_files: () => eraseFiles(deps),
  };
}

/** Schedule (UTC). */
export const entitlementRoutines = [
  { task: "ask_renewals", cron: "25 7 * * *" },
  { task: "erase_proof_files", cron: "40 3 * * *" },
] as const;
