// Entitlements own what reduces a price or opens a right: the family quotient of a household and the
// papers (proofs) of persons, validated by the operator until a day. They refuse to count a paper that
// nobody validated, and to show one household's papers to another.
import { sql } from "kysely";
import type { Db } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { askRenewals, eraseFiles } from "./renewals.ts";

export interface Quotient {
  /** Whole euros a month, as the CAF writes it. */
  value: number;
  /** Its last day (YYYY-MM-DD). */
  validUntil: string;
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
  const { rows } = await sql<Quotient>`
    with guardian as materialized (
      select guardian_id as id from family_tie where member_id = ${personId} and role = 'child'),
    household as (
      select id from guardian
      union all select ${personId}::bigint where not exists (select from guardian))
    select p.quotient as value, p.valid_until as "validUntil" from household h
    cross join lateral (${counting(sql.ref("h.id"), "quotient", onDay)}) p
    order by p.quotient, p.valid_until desc limit 1`.execute(db);
  return rows[0] ?? null;
}

// Of the papers of one kind that count on a day, the one sent last.
const counting = (person: unknown, kind: string, onDay: string) => sql`
  select quotient, valid_until from proof
  where person_id = ${person} and kind = ${kind} and state = 'validated'
    and valid_from <= ${onDay}::date and (valid_until is null or valid_until >= ${onDay}::date)
  order by number desc limit 1`;

export interface Profile {
  /** In whole years on that day, null when the day of birth is not known. */
  age: number | null;
  /** Whether a certificate of schooling counts on that day. */
  student: boolean;
  /** Whether a paper on a disability counts on that day. */
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
  const seen = rows[0] ?? { age: null, student: false, disability: false };
  return { ...seen, quotient: quotient?.value ?? null };
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
