// Custody and papers of the demo's family: agreed and validated ones, and those that wait for an answer.
import { sql } from "kysely";
import type { Tx } from "../db/db.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { schoolRightEnd } from "#server/entitlements/entitlements.ts";
import type { CastName } from "./cast.ts";
import { quotient } from "./quotient.ts";

type Member = Extract<CastName, "guardian" | "child" | "secondChild" | "coGuardian">;
type People = Readonly<Record<Member, number>>;

/** Weeks shared for two months already, and a weekend that the other guardian proposes. */
export async function agreeOnCustody(tx: Tx, people: People, now: Date): Promise<void> {
  const { child, guardian, coGuardian } = people;
  await sql`insert into custody (child_id, kind, state, first_id, second_id, from_on, proposed_by,
      proposed_to, proposed_at, answered_at)
    values (${child}, 'weeks', 'agreed', ${guardian}, ${coGuardian},
      paris_day(${now}::timestamptz) - 60, ${guardian}, ${coGuardian},
      ${now}::timestamptz - interval '62 days', ${now}::timestamptz - interval '61 days')`.execute(
    tx,
  );
  await sql`insert into custody (child_id, kind, first_id, from_on, to_on, proposed_by, proposed_to,
      proposed_at)
    select ${child}, 'days', ${coGuardian}, saturday, saturday + 1, ${coGuardian}, ${guardian},
      ${now}::timestamptz - interval '3 hours'
    from (select (date_trunc('week', ${now}::timestamptz at time zone 'Europe/Paris')
      + interval '19 days')::date as saturday) w`.execute(tx);
}

interface Paper {
  about: Member;
  kind: string;
  state: "waiting" | "validated" | "refused";
  daysAgo: number;
  quotient?: number;
  reason?: string;
}

const papers: readonly Paper[] = [
  { about: "guardian", kind: "home", state: "validated", daysAgo: 340 },
  {
    about: "guardian",
    kind: "quotient",
    state: "validated",
    daysAgo: quotient.sentDaysAgo,
    quotient: quotient.value,
  },
  { about: "child", kind: "schooling", state: "validated", daysAgo: 39 },
  {
    about: "secondChild",
    kind: "identity",
    state: "refused",
    daysAgo: 8,
    reason: "La photo est floue : le nom ne se lit pas.",
  },
  { about: "secondChild", kind: "schooling", state: "waiting", daysAgo: 1 },
];

/** Papers that the guardian sent, validated by the operator on the next day. */
export async function sendPapers(tx: Tx, people: People, now: Date): Promise<void> {
  for (const { about, kind, state, daysAgo, quotient: value, reason } of papers) {
    const on = addDays(parisDay(now), -daysAgo);
    const counts = state === "validated";
    const until =
      kind === "home"
        ? sql`(${on}::date + interval '1 year')::date`
        : schoolRightEnd(sql`${on}::date`);
    await sql`insert into proof (person_id, sent_by, kind, state, quotient, reason, written_on, born_on,
        valid_from, valid_until, sent_at, answered_at)
      select ${people[about]}, ${people.guardian}, ${kind}, ${state}, ${value ?? null},
        ${reason ?? null}, ${on}::date, ${kind === "identity" ? on : null}::date,
        ${counts ? on : null}::date, ${counts ? until : null}::date,
        sent, case when ${state} <> 'waiting' then sent + interval '1 day' end
      from (select ${now}::timestamptz - ${daysAgo} * interval '1 day' as sent) s`.execute(tx);
  }
}
