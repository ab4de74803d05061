// The ledger owns every cent and every point: accounts, transfers, holds. It refuses what an account
// cannot pay, a key used for something else, a hold or a transfer closed twice; it never forgets. It also
// seals its journal, and the audit trail with it (seals.ts).
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { type Db, prepared, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import type { CommandResult } from "#server/process/room.ts";
import type { Memo, Posted, Transfer } from "./transfer.ts";
import { toPosted, asProblem, transferArrays, type PostedRow } from "./rows.ts";
import { proveSeals } from "./seals.ts";

export {
  furtherEntries,
  isUsual,
  movementRows,
  movementsOf,
  type Movement,
  type MovementFilter,
} from "./movements.ts";
export type { Memo, Posted, Transfer } from "./transfer.ts";
export { transferKindName } from "./kind-names.ts";
export { overdueSeals, sealHistory } from "./seals.ts";
export { totalsOf, verify } from "./verify.ts";

/**
 * Proofs that `operator ledger verify` and the nightly job run after that of the balances: the seals, then
 * those of later rooms.
 */
export const onVerified: ((deps: Pick<Deps, "db" | "config">) => Promise<CommandResult>)[] = [
  proveSeals,
];

export type Asset = "EUR" | "PTS";

export type Refusal = "insufficient_funds" | "idempotency_mismatch" | "already_reversed";
export type Outcome = { ok: true; posted: Posted[] } | { ok: false; code: Refusal };

export interface Balance {
  id: number;
  /** Balance, holds included. */
  balanceCents: number;
  heldCents: number;
  /** Spendable amount: holds deducted. */
  spendableCents: number;
}

export interface Undo {
  key: string;
  kind: string;
  reason: string;
  at?: Date;
}

export interface HoldRequest {
  key: string;
  debitAccount: number;
  /** Where the money goes when the hold is posted; may be given at the posting instead. */
  creditAccount?: number;
  amountCents: number;
  kind: string;
  memo?: Memo;
  /** From here on the hold can only be voided (`voidExpiredHolds`). */
  expiresAt?: Date;
  at?: Date;
}

/**
 * Opens an account and answers its id. `floorCents` is the lowest balance once holds are deducted
 * (0 for what people own), null for accounts of the outside world, which may go negative.
 */
export async function openAccount(
  tx: Tx,
  account: { kind: string; asset: Asset; floorCents: number | null },
): Promise<number> {
  const { id } = await query(tx).one(sql<{ id: number }>`
    insert into ledger_account (kind, asset, floor)
    values (${account.kind}, ${account.asset}, ${account.floorCents}) returning id`);
  return id;
}

/**
 * Posts transfers, all or none; answers them in the order given, balances after each in cents.
 * A key seen before with the same payload answers its first outcome (`replayed`). Throws the problems
 * `insufficient_funds` and `idempotency_mismatch`; the transaction is then lost. Demands a `Tx`: money
 * moves together with what it pays, or not at all (spec.md 17 and 21).
 */
export async function post(tx: Tx, transfers: readonly Transfer[]): Promise<Posted[]> {
  if (transfers.length === 0) return [];
  const placed = transfers.map((transfer, place) => ({ ...transfer, place }));
  const groups = [...Map.groupBy(placed, (transfer) => transfer.key).values()];
  const { arrays, order } = transferArrays(groups);
  const rows = await asProblem(() => postRows(tx, true, arrays));
  const posted: Posted[] = [];
  order.forEach(({ place, key }, index) => {
    posted[place] = toPosted(rows[index] as PostedRow, key);
  });
  return posted;
}

/**
 * Posts many groups in one call, each with its own outcome: a refused group leaves the others alone
 * and the transaction alive. Every group is an array of transfers under one key, all or none. Groups
 * act in their order, as if each had been posted alone. Programming errors (an unknown account, euros
 * to points, an amount that is no positive integer) throw instead.
 */
export async function tryPost(
  tx: Tx,
  groups: readonly (readonly Transfer[])[],
): Promise<Outcome[]> {
  if (groups.length === 0) return [];
  const { arrays, order } = transferArrays(groups);
  const rows = await asProblem(() => postRows(tx, false, arrays));
  let next = 0;
  return groups.map((group) => {
    const mine = rows.slice(next, next + group.length);
    const keys = order.slice(next, next + group.length);
    next += group.length;
    const refused = mine[0]?.refused;
    if (refused) return { ok: false, code: refused as Refusal };
    const posted = mine.map((row, index) => toPosted(row, (keys[index] as Transfer).key));
    return { ok: true, posted };
  });
}

/** The transfers posted under a key, in the order of its parts; empty when the key is new. */
export async function postedUnder(db: Db, key: string): Promise<(Posted & Leg)[]> {
  const { rows } = await sql<PostedRow & Leg & { kind: string }>`
    select id, at, debit_balance, credit_balance, true as replayed,
      debit_account, credit_account,
      amount as amount_cents, kind
    from transfer where key = ${key} order by part`.execute(db);
  return rows.map(({ debitAccount, creditAccount, amountCents, kind, ...row }) => ({
    ...toPosted(row, key),
    debitAccount,
    creditAccount,
    amountCents,
    kind,
  }));
}
type Leg = Pick<Transfer, "debitAccount" | "creditAccount" | "amountCents" | "kind">;

/** Balances in cents, in the order of the ids asked. Not locked: for screens, never to decide. */
export async function balancesOf(db: Db, accountIds: readonly number[]): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    select a.id, balance as balance_cents, held as held_cents, balance - held as spendable_cents
    from unnest(${accountIds}::bigint[]) with ordinality as requested (id, ord)
    join ledger_account a on a.id = requested.id order by requested.ord`.execute(db);
  return rows;
}

/**
 * The same, locked in id order until the transaction ends: read this to choose lots, then post. Ask
 * for every account the transaction will touch, or a deadlock may cost a retry.
 */
export async function lockedBalances(tx: Tx, accountIds: readonly number[]): Promise<Balance[]> {
  await lockAccounts(tx, accountIds);
  return await balancesOf(tx, accountIds);
}

/** Takes the locks alone, for callers that read more than balances under them. */
export async function lockAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await sql`${prepared("ledger-lock")} select ledger_lock(${accountIds}::bigint[])`.execute(tx);
}

/**
 * Keeps money of an account for later and answers the hold's id. Throws `insufficient_funds`, and
 * `idempotency_mismatch` when the key made another hold; the same call again answers the same id.
 */
export async function hold(
  tx: Tx,
  request: HoldRequest,
): Promise<{ id: number; replayed: boolean }> {
  return (await holdAll(tx, [request]))[0] as { id: number; replayed: boolean };
}

/** Several holds, all or none, answered in their order. Throws as `hold`. */
export async function holdAll(
  tx: Tx,
  requests: readonly HoldRequest[],
): Promise<{ id: number; replayed: boolean }[]> {
  const { rows } = await asProblem(() =>
    sql<{ id: number; replayed: boolean }>`
      select made.id, made.replayed from unnest(
        ${requests.map(({ key }) => key)}::text[],
        ${requests.map(({ debitAccount }) => debitAccount)}::bigint[],
        ${requests.map(({ creditAccount }) => creditAccount ?? null)}::bigint[],
        ${requests.map(({ amountCents }) => amountCents)}::bigint[],
        ${requests.map(({ kind }) => kind)}::text[],
        ${requests.map(({ memo }) => json(memo))}::jsonb[],
        ${requests.map(({ expiresAt }) => expiresAt ?? null)}::timestamptz[],
        ${requests.map(({ at }) => at ?? null)}::timestamptz[])
        with ordinality as requested (key, debit, credit, cents, kind, memo, expiry, at, place)
      cross join lateral ledger_hold(requested.key, requested.debit, requested.credit, requested.cents,
        requested.kind, requested.memo, requested.expiry, requested.at) made
      order by requested.place`.execute(tx),
  );
  return rows;
}

/**
 * Spends a hold, whole or in part (`amountCents`); what is left of it is released. Throws
 * `hold_closed` when it is posted under another key, voided or expired, `idempotency_mismatch` when
 * the key did something else; the same call again answers the first outcome.
 */
export async function postHold(
  tx: Tx,
  holdId: number,
  posting: {
    key: string;
    amountCents?: number;
    to?: number;
    kind?: string;
    memo?: Memo;
    at?: Date;
  },
): Promise<Posted> {
  const { key, amountCents, to, kind, memo, at } = posting;
  const posted = await asProblem(() =>
    query(tx).one(sql<PostedRow>`
      select * from ledger_post_hold(${holdId}::bigint, ${key}, ${amountCents ?? null}::bigint,
        ${to ?? null}::bigint, ${kind ?? null}, ${json(memo)}::jsonb,
        ${at ?? null}::timestamptz)`),
  );
  return toPosted(posted, key);
}

/** Releases a hold. Again on a voided one does nothing; throws `hold_closed` when it was posted. */
export async function voidHold(tx: Tx, holdId: number, at?: Date): Promise<{ replayed: boolean }> {
  if ((await voidHolds(tx, [holdId], at)).length === 1) return { replayed: false };
  const found = await query(tx).maybeOne(sql<{ state: string }>`
    select state from hold where id = ${holdId}`);
  if (found?.state !== "voided") throw new Problem("hold_closed");
  return { replayed: true };
}

/** Releases those of the holds that are still pending and answers their ids (opposition, closing). */
export async function voidHolds(tx: Tx, holdIds: readonly number[], at?: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ledger_void_holds(${holdIds}::bigint[], ${at ?? null}::timestamptz) as id`.execute(
    tx,
  );
  return rows.map((row) => row.id);
}

/** Releases at most `limit` holds whose expiry has come, oldest first, and answers their ids. */
export async function voidExpiredHolds(tx: Tx, now: Date, limit = 500): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from hold where state = 'pending' and expires_at <= ${now}
    order by expires_at limit ${limit}`.execute(tx);
  return await voidHolds(
    tx,
    rows.map((row) => row.id),
    now,
  );
}

/**
 * Reverses one transfer by its id with the opposite one, once; `reason` goes into its memo. Throws
 * `already_reversed`, `insufficient_funds` (the money has been spent since), `idempotency_mismatch`, and
 * `not_found` for an unknown transfer.
 */
export async function reverse(tx: Tx, transferId: number, undo: Undo): Promise<Posted> {
  const found = await query(tx).maybeOne(sql<{ key: string }>`
    select key from transfer where id = ${transferId}`);
  const group = found ? await postedUnder(tx, found.key) : [];
  const original = group.filter((transfer) => transfer.id === transferId);
  return (await reverseTransfers(tx, original, undo))[0] as Posted;
}

/** Reverses everything a key posted, as one linked group: all or none. Throws as `reverse`. */
export async function reverseGroup(tx: Tx, originalKey: string, undo: Undo): Promise<Posted[]> {
  return await reverseTransfers(tx, await postedUnder(tx, originalKey), undo);
}

async function reverseTransfers(
  tx: Tx,
  originals: readonly (Posted & Leg)[],
  undo: Undo,
): Promise<Posted[]> {
  if (originals.length === 0) throw new Problem("not_found");
  // The index refuses a second reversal anyway; checked first, so that the answer is not "no funds".
  await lockedBalances(tx, [
    ...new Set(originals.flatMap((one) => [one.debitAccount, one.creditAccount])),
  ]);
  const { rows } = await sql<{ key: string }>`
    select key from transfer where reverses = any (${originals.map((one) => one.id)}::bigint[])
      and key <> ${undo.key}`.execute(tx);
  if (rows.length > 0) throw new Problem("already_reversed");
  // In reverse order: money goes back the way it came, so that no account falls below its floor on the way.
  const opposite = originals.toReversed().map((original) => ({
    key: undo.key,
    debitAccount: original.creditAccount,
    creditAccount: original.debitAccount,
    amountCents: original.amountCents,
    kind: undo.kind,
    memo: { reason: undo.reason },
    reverses: original.id,
    ...(undo.at ? { at: undo.at } : {}),
  }));
  return await post(tx, opposite);
}

async function postRows(tx: Tx, strict: boolean, a: ReturnType<typeof transferArrays>["arrays"]) {
  const { rows } = await sql<PostedRow>`${prepared("ledger-post")}
    select id, at, debit_balance, credit_balance, replayed, refused
    from ledger_post(${strict}, ${a.items}::int[], ${a.keys}::text[], ${a.debits}::bigint[],
      ${a.credits}::bigint[], ${a.amounts}::bigint[], ${a.kinds}::text[], ${a.memos}::jsonb[],
      ${a.reversed}::bigint[], ${a.ats}::timestamptz[])`.execute(tx);
  return rows;
}

const json = (memo: Memo | undefined) => (memo ? JSON.stringify(memo) : null);
