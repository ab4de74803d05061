// Bank accounts of the demo's companies: invented accounts of a bank that does not exist.
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import { companyOf, writeBankAccount } from "../companies/companies.ts";
import type { Tx } from "../db/db.ts";
import { cast, type CastName } from "./cast.ts";

const ibans = {
  canteenProvider: "FR7699999010350001020304131",
  partnerShop: "FR7699999010350005060708181",
  employer: "FR7699999002100009080706203",
} as const satisfies Partial<Record<CastName, string>>;

/** Writes the account that each company of the cast registered a year ago. */
export async function openBankAccounts(
  tx: Tx,
  people: Record<CastName, number>,
  now: Date,
): Promise<void> {
  const row = await query(tx).one(sql<{ at: Date }>`
    select ${now}::timestamptz - interval '1 year' as at`);
  for (const who of ["canteenProvider", "partnerShop", "employer"] as const) {
    const company = await companyOf(tx, people[who]);
    if (!company) throw new Error(`${who} of the demo has no company`);
    await writeBankAccount(tx, {
      companyId: company.companyId,
      iban: ibans[who],
      bic: null,
      holderName: cast[who].name,
      by: people[who],
      second: false,
      at: row.at,
    });
  }
}
