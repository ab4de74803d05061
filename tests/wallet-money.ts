// Money of a wallet as a test wants it.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { inTx } from "#server/db/db.ts";
import { post } from "#server/ledger/ledger.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import type { TestServer } from "./test-server.ts";

/** The wallet behind a public id, and the account of its purchased money. */
export async function purchasedLot(
  { deps }: Pick<TestServer, "deps">,
  objectID: string,
): Promise<{ id: number; accountId: number }> {
  const { rows } = await sql<{ id: number; accountId: number }>`
    select w.id, l.account_id as "accountId" from wallet w
    join wallet_lot l on l.wallet_id = w.id and l.kind = 'purchased'
    where w.object_id = ${objectID}`.execute(deps.db);
  return rows[0] as { id: number; accountId: number };
}

/** Leaves so many cents to spend in a wallet: purchased money comes in, or goes out. */
export async function leaveToSpend(
  server: Pick<TestServer, "deps">,
  objectID: string,
  cents: number,
): Promise<void> {
  const { deps } = server;
  const { id, accountId } = await purchasedLot(server, objectID);
  const { rows } = await sql<{ cents: number }>`select sum(a.balance - a.held)::bigint as cents
    from wallet_lot l join ledger_account a on a.id = l.account_id
    where l.wallet_id = ${id}`.execute(deps.db);
  const now = rows[0]?.cents ?? 0;
  if (now === cents) return;
  await inTx(deps.db, async (tx) => {
    const outside = await schemeAccount(tx, "payments:sandbox");
    const [debitAccount, creditAccount] = now < cents ? [outside, accountId] : [accountId, outside];
    const moved = { debitAccount, creditAccount, amountCents: Math.abs(cents - now) };
    await post(tx, [{ ...moved, key: randomUUID(), kind: "test", at: deps.now() }]);
  });
}
