// Holds on wallets for an order while its missing part is paid at the provider: released when the payment
// fails, spent with the money received when it succeeds.
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";
import { voidHolds } from "#server/ledger/ledger.ts";
import type { Fund } from "#server/wallet/wallet.ts";
import type { CreditedTopUp } from "./postings.ts";

/** Releases those of these holds that are still pending. */
export async function voidOrderHolds(tx: Tx, holdIds: readonly number[], at?: Date): Promise<void> {
  if (holdIds.length > 0) await voidHolds(tx, holdIds, at);
}

/** The money that settles an order, in the order in which it is taken, and the first wallet. */
export interface OrderMoney {
  walletId: number;
  funds: readonly Fund[];
}

/**
 * The money of an order whose payment was credited: the money on hold for it, released in the same
 * transaction so that nobody else takes it, then the payment. Money released before counts as long as its lot
 * still has it.
 */
export async function orderMoneyOf(tx: Tx, topUp: CreditedTopUp, at: Date): Promise<OrderMoney> {
  const came = { accountId: topUp.purchasedAccount, amountCents: topUp.amountCents };
  if (topUp.holdIds.length === 0) {
    return { walletId: topUp.walletId, funds: [{ ...came, promised: false }] };
  }
  const { rows } = await sql<Omit<Fund, "promised"> & { id: number; walletId: number }>`
    select h.id, h.debit_account as account_id, h.amount as amount_cents,
      l.wallet_id
    from hold h join wallet_lot l on l.account_id = h.debit_account
    where h.id = any (${topUp.holdIds}::bigint[]) order by h.id`.execute(tx);
  const freed = new Set(await voidHolds(tx, topUp.holdIds, at));
  const funds = rows.map(({ id, accountId, amountCents }) => ({
    accountId,
    amountCents,
    promised: freed.has(id),
  }));
  const walletId = rows[0]?.walletId ?? topUp.walletId;
  return { walletId, funds: [...funds, { ...came, promised: false }] };
}
