// Debts on the account of disputes: a payment was taken back after its money was spent. Two operators record
// repayments (reversals.ts).
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { lockedBalances, post } from "#server/ledger/ledger.ts";

/** The repayments `p` of a transfer that took money from the account of disputes, reversed ones left out. */
const repaymentsOf = (debt: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  reversal r join transfer p on p.id = r.posted_id
  where r.transfer_id = ${debt} and r.amount is not null
    and not exists (select from transfer u where u.reverses = p.id)`;

/** The unpaid part of a debt, the transfer `d`, in cents: 0 once it was reversed. */
export const debtLeftSql: RawBuilder<number> = sql<number>`(case
  when exists (select from transfer u where u.reverses = d.id) then 0
  else d.amount - coalesce((select sum(p.amount) from ${repaymentsOf(sql`d.id`)}), 0) end)::bigint`;

/** The unpaid part of a transfer, in cents; 0 for one that is no debt. */
async function debtLeft(db: Db, transferId: number): Promise<number> {
  const found = await query(db).maybeOne(sql<{ left: number }>`
    select ${debtLeftSql} as left from transfer d
    join scheme_account s on s.account_id = d.debit_account and s.name = 'disputes'
    where d.id = ${transferId}`);
  return found?.left ?? 0;
}

/** Sum of the repayments of debts that were not reversed, in cents. */
export async function repaidOf(db: Db, transferIds: readonly number[]): Promise<number> {
  const { cents } = await query(db).one(sql<{ cents: number }>`
    select coalesce(sum(p.amount), 0)::bigint as cents
    from ${repaymentsOf(sql`any (${transferIds}::bigint[])`)}`);
  return cents;
}

/** Refuses `debt_amount` beyond the unpaid part of a debt. */
export async function requireOwed(db: Db, transferId: number, amountCents: number): Promise<void> {
  const left = await debtLeft(db, transferId);
  if (amountCents > left) throw new Problem("debt_amount", { left: formatMoney(left) });
}

/** Posts the repayment of a debt, in whole or in part, from the bank's account or from a lot. */
export async function postRepayment(
  tx: Tx,
  {
    key,
    transferId,
    debitAccount,
    amountCents,
    at,
  }: { key: string; transferId: number; debitAccount: number; amountCents: number; at: Date },
): Promise<{ id: number }> {
  const { creditAccount, isLot } = await query(tx).one(sql<{
    creditAccount: number;
    isLot: boolean;
  }>`
    select t.debit_account as credit_account,
      exists (select from wallet_lot where account_id = ${debitAccount}) as is_lot
    from transfer t where t.id = ${transferId}`);
  // Under the lock of the account: a dispute that is won meanwhile leaves no debt.
  await lockedBalances(tx, [debitAccount, creditAccount]);
  await requireOwed(tx, transferId, amountCents);
  const memo = { label: "Règlement d’un paiement contesté", debt: transferId };
  const kind = isLot ? "dispute" : "debt_paid";
  const [posted] = await post(tx, [
    { key, debitAccount, creditAccount, amountCents, kind, memo, at },
  ]);
  if (!posted) throw new Error("the repayment was not posted");
  return posted;
}

/** The announcement of a repayment to the holder. */
export async function repaidNews(
  tx: Tx,
  { transferId, amountCents, reason }: { transferId: number; amountCents: number; reason: string },
): Promise<{ title: string; body: string }> {
  const left = await debtLeft(tx, transferId);
  const rest = left === 0 ? "Rien n’en reste dû." : `Il en reste ${formatMoney(left)} à régler.`;
  return {
    title: "Règlement reçu",
    body:
      `${formatMoney(amountCents)} ont réglé ce qui était dû d’un paiement repris\u202f: ` +
      `${reason}. ${rest}`,
  };
}
