// Entitlements own what reduces a price or opens a right: the family quotient of a household and the
// proofs of persons, validated by the operator until a day. Only a validated proof counts, and one
// household never reads another's.
import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { guardiansOf } from "#server/family/family.ts";
import { audit } from "#server/identity/identity.ts";
import { askRenewals, eraseFiles } from "./renewals.ts";

export { proofToDos } from "./to-dos.ts";

export interface Quotient {
  /** Whole euros a month, as the CAF writes it. */
  value: number;
  /** Its last day (YYYY-MM-DD), null when it has none. */
  validUntil: string | null;
}

/**
 * The validated family quotient that counts for a person on a day (YYYY-MM-DD), null without one: of
 * an adult their own household's, of a child the lowest of its guardians' (docs/spec.md). It decides a
 * price; who pays it may be another household, to whom the value itself is not to be shown.
 */
export async function quotientOf(
  db: Db,
  personId: number,
  onDay: string,
): Promise<Quotient | null> {
  const { rows } = await sql<Quotient>`${householdQuotient(personId, onDay)}`.execute(db);
  return rows[0] ?? null;
}

/** A day: its ISO date, or the SQL of a date. */
type OnDay = string | RawBuilder<unknown>;

/** SQL: the value of `quotientOf` for the person of a column, where prices of many are asked at once. */
export const quotientValue = (person: RawBuilder<unknown>, onDay: OnDay) => sql<number | null>`(
  select counted.value from (${householdQuotient(person, onDay)}) counted)`;

const householdQuotient = (person: unknown, onDay: OnDay) => sql`
  with guardian as materialized (
    select guardian_id as id from family_tie where member_id = ${person} and role = 'child'),
  household as (
    select id from guardian
    union all select ${person}::bigint where not exists (select from guardian))
  select p.quotient as value, p.valid_until as "validUntil" from household h
  cross join lateral (${counting(sql.ref("h.id"), "quotient", onDay)}) p
  order by p.quotient, p.valid_until desc limit 1`;

// Of the proofs of one kind that count on a day, the one sent last.
const counting = (person: unknown, kind: string, onDay: OnDay) => sql`
  select quotient, valid_until from proof
  where person_id = ${person} and kind = ${kind} and state = 'validated'
    and valid_from <= ${onDay}::date and (valid_until is null or valid_until >= ${onDay}::date)
  order by number desc limit 1`;

/** SQL date: 31 August of the school year of a day; from 1 June on, of the next one. */
export const schoolYearEnd = (day: RawBuilder<unknown>) => sql`make_date(
  extract(year from ${day})::int + case when extract(month from ${day}) >= 6 then 1 else 0 end, 8, 31)`;

/**
 * Makes a quotient (whole euros a month) that the operator read on an attestation the household's own,
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
      ${schoolYearEnd(sql.ref("sent"))}
    from (select paris_day(${sentAt}::timestamptz) as sent) day`.execute(tx);
  const line = { action: "proof.validated", actor: `operator:${operator}`, address: null, at };
  await audit(tx, { ...line, personId: household, details: { kind: "quotient" } });
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

/** What prices by profile depend on, of a person on a day (YYYY-MM-DD). */
export async function profileOf(db: Db, personId: number, onDay: string): Promise<Profile> {
  const { rows } = await sql<Omit<Profile, "quotient">>`
    select extract(year from age(${onDay}::date, born_on))::int as age,
      exists (${counting(personId, "schooling", onDay)}) as student,
      exists (${counting(personId, "disability", onDay)}) as disability
    from person where id = ${personId}`.execute(db);
  const quotient = await quotientOf(db, personId, onDay);
  const known = rows[0] ?? { age: null, student: false, disability: false };
  return { ...known, quotient: quotient?.value ?? null };
}

/** The jobs of this room. */
export function entitlementTasks(deps: Deps) {
  return {
    ask_renewals: () => askRenewals(deps),
    erase_proof_files: () => eraseFiles(deps),
  };
}

/** When they run by themselves (UTC). */
export const entitlementRoutines = [
  { task: "ask_renewals", cron: "25 7 * * *" },
  { task: "erase_proof_files", cron: "40 3 * * *" },
] as const;
