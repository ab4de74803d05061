// The ledger account of a company: it holds the amount owed from the closing of a month until it is paid out.
// It may be negative: a partner whose refunds exceed its sales owes the difference.
import { sql } from "kysely";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { openAccount } from "#server/ledger/ledger.ts";

/** The company's account, opened at first use. The company's row is locked meanwhile. */
export async function companyAccount(tx: Tx, companyId: string): Promise<number> {
  await sql`select from company where id = ${companyId} for no key update`.execute(tx);
  const known = await knownAccount(tx, companyId);
  if (known !== null) return known;
  const id = await openAccount(tx, { kind: "payable", asset: "EUR", floorCents: null });
  await sql`insert into settlement_account (company_id, account_id)
    values (${companyId}, ${id})`.execute(tx);
  return id;
}

async function knownAccount(db: Db, companyId: string): Promise<number | null> {
  const found = await query(db).maybeOne(sql<{ id: number }>`
    select account_id as id from settlement_account where company_id = ${companyId}`);
  return found?.id ?? null;
}

/** Balance owed to the company in the ledger, in cents; negative when it owes. */
export async function owedCents(db: Db, companyId: string): Promise<number> {
  const found = await query(db).maybeOne(sql<{ cents: number }>`
    select a.balance as cents from settlement_account s join ledger_account a on a.id = s.account_id
    where s.company_id = ${companyId}`);
  return found?.cents ?? 0;
}
