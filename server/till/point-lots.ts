// Points that partners give: a second asset of the ledger, in lots with a last day. They are spent where they
// were earned, the earliest last day first, and refused when there are too few.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { pointsExpireOn } from "#contract/till/point-limits.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { lockedBalances, openAccount, post, postedUnder } from "#server/ledger/ledger.ts";
import { lockOutgoing, schemeAccount } from "#server/wallet/wallet.ts";

/** The person whose points they are, and the company where they can be spent. */
export interface PointHolder {
  personId: number;
  companyId: string;
}

/** One operation on points: unique under its key. */
export interface PointEntry extends PointHolder {
  points: number;
  key: string;
  /** Name of the place, for the holder's history. */
  label: string;
  at: Date;
}

/** Points that a person could spend at an instant, at a company or at any. Not locked. */
export async function pointsOf(
  db: Db,
  { personId, companyId = null, at }: { personId: number; companyId?: string | null; at: Date },
): Promise<number> {
  const { points } = await query(db).one(sql<{ points: number }>`
    select coalesce(sum(a.balance), 0)::bigint as points
    from point_lot l join ledger_account a on a.id = l.account_id
    where l.person_id = ${personId} and l.expires_on >= ${parisDay(at)}::date
      and (${companyId}::uuid is null or l.company_id = ${companyId}::uuid)`);
  return points;
}

/** Gives points, valid to the end of the same month a year later. The same key again gives once. */
export async function earnPoints(tx: Tx, act: PointEntry): Promise<void> {
  if (act.points === 0) return;
  // Two first operations of one person at once would open two lots.
  await lockOutgoing(tx, { personIds: [act.personId], walletIds: [] });
  const lot = await lotFor(tx, act, pointsExpireOn(parisDay(act.at)));
  const points = await schemeAccount(tx, "points");
  await post(tx, [toTransfer(act, "points_earned", { from: points, to: lot, points: act.points })]);
}

async function lotFor(tx: Tx, { personId, companyId }: PointHolder, day: string): Promise<number> {
  const found = await query(tx).maybeOne(sql<{ accountId: number }>`
    select account_id from point_lot where person_id = ${personId}
      and company_id = ${companyId} and expires_on = ${day}::date`);
  if (found) return found.accountId;
  const accountId = await openAccount(tx, { kind: "points", asset: "PTS", floorCents: 0 });
  await sql`insert into point_lot (account_id, person_id, company_id, expires_on)
    values (${accountId}, ${personId}, ${companyId}, ${day}::date)`.execute(tx);
  return accountId;
}

const toTransfer = (
  { key, label, at }: PointEntry,
  kind: string,
  { from, to, points }: { from: number; to: number; points: number },
) => ({
  key,
  debitAccount: from,
  creditAccount: to,
  amountCents: points,
  kind,
  memo: { label },
  at,
});

/**
 * Spends points, the earliest last day first; the same key again spends once. Refuses `points_short`.
 */
export async function usePoints(tx: Tx, act: PointEntry): Promise<void> {
  if ((await takeFrom(tx, act, "points_used")) < act.points) throw new Problem("points_short");
}

/**
 * Withdraws points that should not have been given: those still there, the latest given first. Spent ones are
 * not reclaimed. Gives how many were withdrawn.
 */
export function withdrawPoints(tx: Tx, act: PointEntry): Promise<number> {
  return takeFrom(tx, act, "points_withdrawn");
}

interface Lot {
  accountId: number;
  usable: boolean;
}

async function takeFrom(
  tx: Tx,
  act: PointEntry,
  kind: "points_used" | "points_withdrawn",
): Promise<number> {
  const { personId, companyId, at } = act;
  const { rows } = await sql<Lot>`
    select account_id, expires_on >= ${parisDay(at)}::date as usable from point_lot
    where person_id = ${personId} and company_id = ${companyId} order by expires_on`.execute(tx);
  const lots = kind === "points_used" ? rows : rows.toReversed();
  const balances = await lockedBalances(
    tx,
    lots.map(({ accountId }) => accountId),
  );
  const before = await postedUnder(tx, act.key);
  if (before.length > 0) return before.reduce((sum, part) => sum + part.amountCents, 0);
  let missing = act.points;
  const to = await schemeAccount(tx, "points");
  const parts = lots.flatMap(({ accountId, usable }, index) => {
    const points = usable ? Math.min(missing, balances[index]?.spendableCents ?? 0) : 0;
    missing -= points;
    return points > 0 ? [toTransfer(act, kind, { from: accountId, to, points })] : [];
  });
  // When there are too few, nothing moves.
  if (kind === "points_used" && missing > 0) return act.points - missing;
  await post(tx, parts);
  return act.points - missing;
}

/**
 * Returns points that were spent under a key to the lots that gave them, the last one first; those whose last
 * day has passed are not returned. `already` of them were returned before. Gives how many were returned.
 */
export async function returnPoints(
  tx: Tx,
  { usedUnder, already, ...act }: PointEntry & { usedUnder: string; already: number },
): Promise<number> {
  const used = await postedUnder(tx, usedUnder);
  const { rows } = await sql<{ accountId: number }>`
    select account_id from point_lot
    where account_id = any (${used.map(({ debitAccount }) => debitAccount)}::bigint[])
      and expires_on >= ${parisDay(act.at)}::date`.execute(tx);
  const good = new Set(rows.map(({ accountId }) => accountId));
  const from = await schemeAccount(tx, "points");
  let skipped = already;
  let missing = act.points;
  const parts = used.toReversed().flatMap(({ debitAccount: to, amountCents }) => {
    const gone = Math.min(skipped, amountCents);
    skipped -= gone;
    const points = Math.min(missing, amountCents - gone);
    missing -= points;
    return points > 0 && good.has(to) ? [toTransfer(act, "points_back", { from, to, points })] : [];
  });
  await post(tx, parts);
  return parts.reduce((sum, part) => sum + part.amountCents, 0);
}
