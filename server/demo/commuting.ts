// The demo's employer pays a share of its employees' passes: one employee buys with it, one is suspended,
// Camille has not answered yet; others refused, left, or never answered.
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import { query } from "#server/db/query.ts";
import { companyOf } from "../companies/companies.ts";
import { writeShare } from "../commuting/commuting.ts";
import type { Tx } from "../db/db.ts";
import { cast, type CastName } from "./cast.ts";

const answerDays = 30;
const employerPercent = 75;

interface Employee {
  name: string;
  staffNumber: string;
  /** A person of the cast, or a number that nobody has. */
  card: CastName | number;
  state: "invited" | "active" | "suspended" | "declined" | "expired" | "ended";
  /** Days since they were asked. */
  ago: number;
}

const employees: readonly Employee[] = [
  { name: "Hugo Petit", staffNumber: "AC-014", card: "stranger", state: "ended", ago: 190 },
  {
    name: "Thomas Moreau",
    staffNumber: "AC-003",
    card: "coGuardian",
    state: "suspended",
    ago: 120,
  },
  { name: "Hugo Petit", staffNumber: "AC-014", card: "stranger", state: "active", ago: 75 },
  { name: "Louis Tanguy", staffNumber: "AC-021", card: 1100000007, state: "expired", ago: 62 },
  { name: "Malika Haddad", staffNumber: "AC-018", card: 1100000015, state: "declined", ago: 40 },
  { name: "Yann Le Goff", staffNumber: "AC-009", card: 1100000023, state: "invited", ago: 6 },
  { name: "Inès Caradec", staffNumber: "AC-027", card: 1100000031, state: "invited", ago: 5 },
  { name: "Camille Moreau", staffNumber: "AC-011", card: "guardian", state: "invited", ago: 2 },
];

/** Writes the share and the employees; their purchases from then on get the share. */
export async function shareCommuting(
  tx: Tx,
  people: Record<CastName, number>,
  now: Date,
): Promise<void> {
  const company = await companyOf(tx, people.employer);
  if (!company) throw new Error("the demo's employer has no company");
  const { companyId } = company;
  const { id: service } = await query(tx).one(sql<{ id: string }>`
    select id from transport_service where reference = 'mobilite-salaries'`);
  const at = new Date(now.getTime() - 200 * dayMs);
  await writeShare(tx, { companyId, service, employerPercent, at });
  for (const employee of employees) await writeEmployee(tx, employee, { companyId, people, now });
}

async function writeEmployee(
  tx: Tx,
  { name, staffNumber, card, state, ago }: Employee,
  { companyId, people, now }: { companyId: string; people: Record<CastName, number>; now: Date },
): Promise<void> {
  const invitedAt = new Date(now.getTime() - ago * dayMs);
  const answered = new Date(invitedAt.getTime() + dayMs);
  const expires = new Date(invitedAt.getTime() + answerDays * dayMs);
  const accepted = state === "active" || state === "suspended" || state === "ended";
  const holder = accepted && typeof card === "string" ? people[card] : null;
  const later = new Date(invitedAt.getTime() + 60 * dayMs);
  const ended = { declined: answered, expired: expires, ended: later };
  await sql`
    insert into commuting_enrolment (plan_id, state, name, staff_number, cardnumber, holder_id,
      invited_by, invited_at, expires_at, accepted_at, suspended_at, ended_at, ended_by)
    select id, ${state}, ${name}, ${staffNumber},
      ${typeof card === "string" ? cast[card].cardnumber : card}, ${holder},
      ${people.employer}, ${invitedAt}, ${expires}, ${accepted ? answered : null},
      ${state === "suspended" ? later : null},
      ${state in ended ? ended[state as keyof typeof ended] : null},
      ${state === "declined" ? "holder" : state === "ended" ? "company" : null}
    from commuting_plan where company_id = ${companyId}`.execute(tx);
}
