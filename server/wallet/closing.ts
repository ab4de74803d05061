// The last movements of a person's wallets: purchased money leaves for repayment, aids are returned.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { balancesOf, lockedBalances, post } from "#server/ledger/ledger.ts";
import { aidReturned, type ReturnedAid } from "./returned-aids.ts";

/** Effect of a closing on a person's wallets. */
export interface ClosingBalance {
  /** Purchased money, repaid. */
  refundCents: number;
  /** Unused aids, returned to their givers. */
  forfeitedCents: number;
  heldCents: number;
  frozen: boolean;
  /** A top-up whose money may still come in. */
  paying: boolean;
}

interface Lot {
  accountId: number;
  kind: "purchased" | "granted";
  frozen: boolean;
  returnsTo: number | null;
}

const lotsOf = async (db: Db, personId: number): Promise<Lot[]> => {
  const { rows } = await sql<Lot>`select l.account_id, l.kind,
      w.frozen_at is not null as frozen, l.returns_to
    from wallet w join wallet_lot l on l.wallet_id = w.id
    where w.person_id = ${personId} order by l.account_id`.execute(db);
  return rows;
};

interface Aids {
  personId: number;
  /** The account of the giver. */
  giver: number;
}

async function aidsOf(db: Db, { personId, giver }: Aids): Promise<number[]> {
  const lots = await lotsOf(db, personId);
  return lots.filter(({ returnsTo }) => returnsTo === giver).map(({ accountId }) => accountId);
}

/** The amount that `returnAids` would return now, in cents. */
export async function returnableAidCents(db: Db, aids: Aids): Promise<number> {
  const balances = await balancesOf(db, await aidsOf(db, aids));
  return balances.reduce((sum, { spendableCents }) => sum + Math.max(0, spendableCents), 0);
}

/**
 * Returns the part of a person's aids that is neither spent nor on hold to the account of their giver, who
 * records it; answers the sum in cents. The part on hold is returned at its last day. The same key again
 * moves nothing more.
 */
export async function returnAids(
  tx: Tx,
  { key, at, ...aids }: Aids & { key: string; at: Date },
): Promise<number> {
  const accounts = await aidsOf(tx, aids);
  const balances = await lockedBalances(tx, accounts);
  const back = accounts.flatMap((accountId, place) => {
    const amountCents = Math.max(0, balances[place]?.spendableCents ?? 0);
    return amountCents > 0 ? [{ accountId, amountCents }] : [];
  });
  await post(
    tx,
    back.map(({ accountId, amountCents }) => ({
      key: `${key}:${accountId}`,
      debitAccount: accountId,
      creditAccount: aids.giver,
      amountCents,
      kind: "expiry" as const,
      memo: { label: "Fermeture de la carte" },
      at,
    })),
  );
  for (const one of back) await aidReturned(tx, { ...one, why: "closed", at });
  return back.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** Amounts in cents, as of now. */
export async function closingBalanceOf(db: Db, personId: number): Promise<ClosingBalance> {
  const lots = await lotsOf(db, personId);
  const balances = await balancesOf(
    db,
    lots.map(({ accountId }) => accountId),
  );
  const { rows } = await sql`select from top_up t join wallet w on w.id = t.wallet_id
    where w.person_id = ${personId} and t.state in ('initiated', 'authorized', 'review')
    limit 1`.execute(db);
  const total = (kind: Lot["kind"]) =>
    balances.reduce((sum, one, at) => sum + (lots[at]?.kind === kind ? one.balanceCents : 0), 0);
  return {
    refundCents: total("purchased"),
    forfeitedCents: total("granted"),
    heldCents: balances.reduce((sum, one) => sum + one.heldCents, 0),
    frozen: lots.some(({ frozen }) => frozen),
    paying: rows.length > 0,
  };
}

/**
 * Empties every wallet of a person under locks: purchased money to the account `to`, aids to their givers,
 * else to the scheme's grants. Answers the amounts, in cents. Throws `wallet_frozen`, and `closure_bookings`
 * while an amount is on hold; the same key again moves nothing more.
 */
export async function emptyWallets(
  tx: Tx,
  leaver: { personId: number; to: number; grants: number; key: string; at: Date },
): Promise<{ refundCents: number; forfeitedCents: number }> {
  const lots = await lotsOf(tx, leaver.personId);
  const balances = await lockedBalances(
    tx,
    lots.map(({ accountId }) => accountId),
  );
  if (lots.some(({ frozen }) => frozen)) throw new Problem("wallet_frozen");
  if (balances.some(({ heldCents }) => heldCents > 0)) throw new Problem("closure_bookings");
  const moved = { refundCents: 0, forfeitedCents: 0 };
  const returnedAids: ReturnedAid[] = [];
  const transfers = lots.flatMap(({ accountId, kind, returnsTo }, at) => {
    const amountCents = balances[at]?.balanceCents ?? 0;
    if (amountCents <= 0) return [];
    const bought = kind === "purchased";
    moved[bought ? "refundCents" : "forfeitedCents"] += amountCents;
    if (returnsTo !== null)
      returnedAids.push({ accountId, amountCents, why: "closed", at: leaver.at });
    return [
      {
        key: `${leaver.key}:${accountId}`,
        debitAccount: accountId,
        creditAccount: bought ? leaver.to : (returnsTo ?? leaver.grants),
        amountCents,
        kind: bought ? "refund" : "expiry",
        memo: { label: "Fermeture du compte" },
        at: leaver.at,
      },
    ];
  });
  await post(tx, transfers);
  for (const back of returnedAids) await aidReturned(tx, back);
  return moved;
}
