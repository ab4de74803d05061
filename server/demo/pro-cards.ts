// The cards of the demo's employer: its people's cards in every state, and two without a bearer.
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import type { CardState } from "#contract/cards/rows.ts";
import { dayMs } from "#contract/days.ts";
import { endOfCard, issueReplacement } from "../cards/cards.ts";
import { companyOf, issueProCards } from "../companies/companies.ts";
import type { Tx } from "../db/db.ts";
import { cast } from "./cast.ts";

interface Employee {
  name: string;
  state?: CardState;
  roles?: ("accountant" | "cashier")[];
  dayCents?: number;
  weekCents?: number;
  /** The state of the card that takes the place of theirs. */
  next?: CardState;
}

/** Some have a card of their own too: a pro card has another number. */
const employees: readonly Employee[] = [
  { name: cast.coGuardian.name, roles: ["accountant"], weekCents: 15_000 },
  { name: cast.stranger.name, dayCents: 2500, weekCents: 10_000 },
  { name: "Inès Caradec", roles: ["cashier"], dayCents: 3000 },
  { name: "Yann Le Goff", dayCents: 2500, weekCents: 10_000 },
  { name: "Malika Haddad", state: "suspended", dayCents: 2500, weekCents: 10_000 },
  { name: "Erwan Kermarrec", state: "opposed", next: "in_production", dayCents: 2500 },
  { name: "Sofia Marques", state: "damaged", next: "shipped", dayCents: 2500 },
  { name: "Pierre-Antoine de Kersauson", state: "shipped" },
  { name: "Awa Diallo", state: "in_production" },
  { name: "Louis Tanguy", dayCents: 4000, weekCents: 16_000 },
  { name: "Chloé Briand" },
];

/** Writes the cards of the demo's employer. */
export async function openProCards(tx: Tx, people: { employer: number }, now: Date): Promise<void> {
  const company = await companyOf(tx, people.employer);
  if (!company) throw new Error("the demo's employer has no company");
  const { companyId } = company;
  const since = new Date(now.getTime() - 120 * dayMs);
  const count = employees.length + 2;
  const numbers = await issueProCards(tx, { companyId, count, at: since });
  const carried = numbers.slice(0, employees.length);
  for (const [place, number] of carried.entries()) {
    const employee = employees[place] as Employee;
    await carry(tx, { employee, number, companyId, by: people.employer, now });
  }
  const waiting = numbers.slice(employees.length);
  await sql`update card set state = 'received' where number = any (${waiting}::bigint[])`.execute(
    tx,
  );
}

async function carry(
  tx: Tx,
  input: { employee: Employee; number: number; companyId: string; by: number; now: Date },
): Promise<void> {
  const { employee, number, companyId, by, now } = input;
  const { name, state = "active", roles, dayCents = null, weekCents = null, next } = employee;
  const began = new Date(now.getTime() - 90 * dayMs);
  const used = state !== "shipped" && state !== "in_production";
  const { id } = await query(tx).one(sql<{ id: number }>`
    update card set state = ${state}, activated_at = ${used ? began : null}::timestamptz,
      valid_until = case when ${used} then ${endOfCard(now)}::date end,
      opposed_at = case when ${state === "opposed"} then ${now}::timestamptz end,
      opposed_why = case when ${state === "opposed"} then 'lost' end
    where number = ${number} returning person_id as id`);
  await tx.updateTable("person").set({ name }).where("id", "=", id).execute();
  await tx.updateTable("proCard").set({ assignedAt: began }).where("personId", "=", id).execute();
  if (roles) {
    await tx
      .insertInto("companyMember")
      .values({ personId: id, companyId, roles, since: began })
      .execute();
  }
  if (dayCents !== null || weekCents !== null) {
    await sql`insert into member_limit (person_id, day_cents, week_cents, set_by, set_at)
      values (${id}, ${dayCents}, ${weekCents}, ${by}, ${began})`.execute(tx);
  }
  if (next) {
    await issueReplacement(tx, { personId: id, cardnumber: number, at: now });
    await sql`update card set state = ${next} where replaces = ${number}`.execute(tx);
  }
}
