// Access of a company's people to its counters.
import { sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import type { Membership } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";

/** Refuses `not_found` for a counter that is not the company's. */
export async function requireCounter(db: Db, companyId: string, partner: string): Promise<void> {
  const { rows } = await sql`
    select from partner where id = ${partner} and company_id = ${companyId}`.execute(db);
  if (rows.length === 0) throw new Problem("not_found");
}

/** The person's id for a cashier, who sees only their own sales (spec.md 25); else null. */
export const ownOnly = ({ roles }: Membership, personId: number): number | null =>
  companyCan.seeMoney(roles) ? null : personId;
