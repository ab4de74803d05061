// The cap of a wallet, for the top-ups of all rooms: started ones count until they fail.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";

/**
 * SQL: cents that the started top-ups of a wallet may still bring in. Payments of orders are left out, because
 * they leave the wallet as they come in, and gifts, to which the cap applies when they are credited.
 */
export const promisedSql = (walletId: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(
  select coalesce(sum(waiting.amount_cents), 0)::bigint from top_up waiting
   where waiting.wallet_id = ${walletId} and waiting.state in ('initiated', 'authorized')
     and waiting.order_id is null and waiting.origin is distinct from 'link')`;

/**
 * The amount that a wallet may still receive, in cents, and the part of its cap reserved by started top-ups.
 */
export async function capLeft(
  db: Db,
  { walletCapCents }: Pick<Deps["config"], "walletCapCents">,
  walletId: number,
): Promise<{ roomCents: number; promisedCents: number }> {
  const { balanceCents, promisedCents } = await query(db).one(sql<{
    balanceCents: number;
    promisedCents: number;
  }>`
    select (select coalesce(sum(a.balance), 0)::bigint from wallet_lot l
        join ledger_account a on a.id = l.account_id where l.wallet_id = w.id) as balance_cents,
      ${promisedSql(sql.ref("w.id"))} as promised_cents
    from wallet w where w.id = ${walletId}`);
  return { roomCents: Math.max(0, walletCapCents - balanceCents - promisedCents), promisedCents };
}

/** Locks the wallet's row: calls that start top-ups of one wallet wait for each other here. */
export async function lockWallet(tx: Tx, walletId: number): Promise<void> {
  await sql`select from wallet where id = ${walletId} for no key update`.execute(tx);
}

/** The part of a payment that exceeds the cap now, in cents; the wallet stays locked. */
export async function beyondCap(
  tx: Tx,
  config: Pick<Deps["config"], "walletCapCents">,
  { walletId, amountCents }: { walletId: number; amountCents: number },
): Promise<number> {
  await lockWallet(tx, walletId);
  const { roomCents } = await capLeft(tx, config, walletId);
  return Math.max(0, amountCents - roomCents);
}

/**
 * Requires that a top-up keeps within the cap (server/payments/README.md#top-ups): refuses `top_ups_started`
 * where only started top-ups exceed it, else `wallet_cap`. To decide, call `lockWallet` first.
 */
export async function requireWithinCap(
  db: Db,
  config: Pick<Deps["config"], "walletCapCents">,
  { walletId, amountCents }: { walletId: number; amountCents: number },
): Promise<void> {
  const { roomCents, promisedCents } = await capLeft(db, config, walletId);
  if (amountCents <= roomCents) return;
  const fits = amountCents <= roomCents + promisedCents;
  throw new Problem(fits ? "top_ups_started" : "wallet_cap", {
    cap: formatMoney(config.walletCapCents),
    room: formatMoney(roomCents),
    roomCents,
  });
}
