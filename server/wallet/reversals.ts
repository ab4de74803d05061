// Reversals of a transfer by four eyes: one operator asks, another confirms or refuses, and only then does
// the ledger post the opposite transfer. A request that nobody answers expires. It undoes money alone: what
// was bought with it stays. A repayment of a debt (debts.ts) is asked and confirmed in the same way.
import { userInfo } from "node:os";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { operator as limits } from "#contract/limits.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { auditAll } from "#server/identity/identity.ts";
import { postedUnder, reverse } from "#server/ledger/ledger.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { postRepayment, repaidNews, repaidOf, requireOwed } from "./debts.ts";
import { sweepAgain } from "./expiry.ts";
import { refundsUnder } from "./refund-keys.ts";

export type ReversalState = "asked" | "confirmed" | "refused" | "expired";

export interface Reversal {
  number: number;
  transferId: number;
  reason: string;
  state: ReversalState;
  askedBy: string;
  askedAt: Date;
  expiresAt: Date;
  answeredBy: string | null;
  postedId: number | null;
  /** Of a repayment what is repaid, else what the transfer moved. */
  amountCents: number;
  /** The account that repays a debt; null for a reversal. */
  debitAccount: number | null;
  kind: string;
  /** The key of the transfer: of an order, its room and its id. */
  key: string;
  /** What the transfer says that it paid. */
  label: string | null;
  /** What of it was given back already, in cents: undoing it gives that back again. */
  refundedCents: number;
  /** Whose wallets the transfer touches. */
  owners: string[];
}

/** A transfer that two operators undo. */
export interface Undone {
  /** Of the request, once for ever. */
  number: number;
  /** The key of the transfer: of an order, its room and its id. */
  key: string;
  amountCents: number;
  reason: string;
  at: Date;
}

/** What rooms do about a transfer of theirs that is undone, before the opposite one is posted. */
export const onReversed: ((tx: Tx, deps: OperatorDeps, undone: Undone) => Promise<void>)[] = [];

/** An operator by the name that they give, and the reason of what they do. */
export interface Signed {
  by: string;
  reason: string;
}

/**
 * Asks for the reversal of a transfer; it waits for another operator. The same request again by the same
 * operator is the one that waits. Refuses `not_found`, `already_reversed`, and `reversal_waiting` when
 * somebody else asked for it.
 */
export function askReversal(
  deps: OperatorDeps,
  transferId: number,
  signed: Signed,
): Promise<Reversal> {
  return inTx(deps.db, async (tx) => {
    const { rows } = await sql<{ reversed: boolean }>`
      select exists (select from transfer r where r.reverses = t.id) as reversed
      from transfer t where t.id = ${transferId}`.execute(tx);
    if (!rows[0]) throw new Problem("not_found");
    if (rows[0].reversed) throw new Problem("already_reversed");
    if ((await repaidOf(tx, [transferId])) > 0) throw new Problem("debt_repaid");
    return await ask(tx, deps.now(), transferId, signed, null);
  });
}

/** What repays a debt: from the bank's account or from a lot, and whose debt it is. */
export interface Repayment {
  debitAccount: number;
  amountCents: number;
  personId: number;
}

/**
 * Asks for the repayment of a debt, the transfer that took money from the account of disputes, whole or in
 * part; it waits for another operator as a reversal does. Refuses `debt_amount` beyond what is left, and
 * `reversal_waiting`.
 */
export function askRepayment(
  deps: OperatorDeps,
  transferId: number,
  repayment: Repayment,
  signed: Signed,
): Promise<Reversal> {
  return inTx(deps.db, async (tx) => {
    await requireOwed(tx, transferId, repayment.amountCents);
    return await ask(tx, deps.now(), transferId, signed, repayment);
  });
}

async function ask(
  tx: Tx,
  at: Date,
  transferId: number,
  { by, reason }: Signed,
  repayment: Repayment | null,
): Promise<Reversal> {
  await expireWithin(tx, at, sql`transfer_id = ${transferId}`);
  const expiresAt = new Date(at.getTime() + limits.reversalHours * 3_600_000);
  const { rows: asked } = await sql<{ number: number }>`
    insert into reversal (transfer_id, reason, asked_by, asked_account, asked_at, expires_at,
      amount, debit_account, person_id)
    values (${transferId}, ${reason}, ${by}, ${userInfo().username}, ${at}, ${expiresAt},
      ${repayment?.amountCents ?? null}, ${repayment?.debitAccount ?? null}, ${repayment?.personId ?? null})
    on conflict (transfer_id) where state = 'asked' do nothing returning number`.execute(tx);
  const [waiting] = await reversalsWhere(
    tx,
    sql`r.transfer_id = ${transferId} and r.state = 'asked'`,
  );
  if (!waiting) throw new Error("the request just written is not there");
  if (asked[0]) await record(tx, waiting, "ask", { by, reason, at });
  else if (!isSameOperator(waiting.askedBy, by) || !isSameRequest(waiting, repayment)) {
    throw new Problem("reversal_waiting");
  }
  return waiting;
}

const isSameRequest = (waiting: Reversal, repayment: Repayment | null): boolean =>
  waiting.debitAccount === (repayment?.debitAccount ?? null) &&
  (repayment === null || waiting.amountCents === repayment.amountCents);

/**
 * Confirms a request: the ledger posts the opposite transfer, once; confirming again gives the same.
 * Refuses `reversal_same_operator` to whoever asked, `reversal_expired`, `reversal_answered` when it was
 * refused, `not_found`, and what the ledger refuses (`insufficient_funds`, `already_reversed`): then it
 * waits on.
 */
export function confirmReversal(deps: OperatorDeps, number: number, by: string): Promise<Reversal> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const found = await lockReversal(tx, number);
    if (isSameOperator(found.askedBy, by)) throw new Problem("reversal_same_operator");
    if (found.state === "confirmed") return found;
    requireWaiting(found, at);
    // Rooms lock their rows before the accounts, as they do for a refund. A repayment undoes nothing.
    if (found.debitAccount === null) {
      for (const step of onReversed) await step(tx, deps, { ...found, at });
    }
    const posted = await execute(tx, found, at);
    const credited = await postedUnder(tx, `reversal:${number}`);
    await sweepAgain(
      tx,
      credited.map(({ creditAccount }) => creditAccount),
      at,
    );
    await sql`update reversal set state = 'confirmed', answered_by = ${by},
      answered_account = ${userInfo().username}, answered_at = ${at}, posted_id = ${posted.id}
      where number = ${number}`.execute(tx);
    await record(tx, found, "confirm", { by, reason: found.reason, at });
    await announce(tx, deps, {
      to: await ownersOf(tx, number),
      about: "top_up",
      ...(found.debitAccount === null ? reversedNews(found) : await repaidNews(tx, found)),
      path: "/services/cagnottes",
      at,
      changed: "wallets",
    });
    return await readReversal(tx, number);
  });
}

async function execute(tx: Tx, found: Reversal, at: Date): Promise<{ id: number }> {
  const { number, transferId, reason, debitAccount, amountCents } = found;
  const key = `reversal:${number}`;
  return debitAccount === null
    ? await reverse(tx, transferId, { key, kind: "correction", reason, at })
    : await postRepayment(tx, { key, transferId, debitAccount, amountCents, at });
}

const reversedNews = ({ amountCents, reason }: Reversal) => ({
  title: "Une opération a été corrigée",
  body:
    `Une opération de ${formatMoney(amountCents)} a été annulée par une écriture inverse ` +
    `du service clients\u202f: ${reason}`,
});

/** Refuses a request, or takes one's own back. Refuses `reversal_answered`, `not_found`. */
export function refuseReversal(
  deps: OperatorDeps,
  number: number,
  { by, reason }: Signed,
): Promise<Reversal> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const found = await lockReversal(tx, number);
    requireWaiting(found, at);
    await sql`update reversal set state = 'refused', answered_by = ${by},
      answered_account = ${userInfo().username}, answered_at = ${at}, answer_reason = ${reason}
      where number = ${number}`.execute(tx);
    await record(tx, found, "refuse", { by, reason, at });
    return await readReversal(tx, number);
  });
}

/** Requests that wait, the oldest first; with `all`, the two hundred latest whatever became of them. */
export const reversals = (db: Db, now: Date, all: boolean): Promise<Reversal[]> =>
  reversalsWhere(
    db,
    all
      ? sql`r.number > (select coalesce(max(number), 0) - 200 from reversal)`
      : sql`r.state = 'asked' and r.expires_at > ${now}`,
  );

/** Ends the requests whose time is over; gives how many. */
export const expireReversals = (deps: Pick<OperatorDeps, "db" | "now">): Promise<number> =>
  inTx(deps.db, (tx) => expireWithin(tx, deps.now(), sql`true`));

async function expireWithin(tx: Tx, at: Date, condition: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    update reversal set state = 'expired', answered_at = ${at}
    where state = 'asked' and expires_at <= ${at} and ${condition} returning number`.execute(tx);
  for (const { number } of rows) {
    const expired = await readReversal(tx, number);
    await record(tx, expired, "expire", { by: null, reason: expired.reason, at });
  }
  return rows.length;
}

function requireWaiting({ state, expiresAt }: Reversal, at: Date): void {
  if (state === "confirmed" || state === "refused") throw new Problem("reversal_answered");
  if (state === "expired" || expiresAt <= at) throw new Problem("reversal_expired");
}

/** Names are the same whatever their case, accents and spaces. */
const isSameOperator = (one: string, other: string): boolean => plainName(one) === plainName(other);
const plainName = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

async function lockReversal(tx: Tx, number: number): Promise<Reversal> {
  await sql`select from reversal where number = ${number} for update`.execute(tx);
  return await readReversal(tx, number);
}

async function readReversal(tx: Tx, number: number): Promise<Reversal> {
  const [found] = await reversalsWhere(tx, sql`r.number = ${number}`);
  if (!found) throw new Problem("not_found");
  return found;
}

async function reversalsWhere(db: Db, condition: ReturnType<typeof sql>): Promise<Reversal[]> {
  const { rows } = await sql<Reversal>`
    select r.number, r.transfer_id as "transferId", r.reason, r.state, r.asked_by as "askedBy",
      r.asked_at as "askedAt", r.expires_at as "expiresAt", r.answered_by as "answeredBy",
      r.posted_id as "postedId", coalesce(r.amount, t.amount) as "amountCents",
      r.debit_account as "debitAccount", t.kind,
      t.key, t.memo ->> 'label' as label,
      (select coalesce(sum(b.amount), 0)::bigint from ${refundsUnder(sql`t.key`)} b
        where b.memo ->> 'lot' = t.debit_account::text
          and not exists (select from transfer u where u.reverses = b.id)) as "refundedCents",
      array(select p.name from person p where p.id in (${ownersSql}) order by p.name) as owners
    from reversal r join transfer t on t.id = r.transfer_id
    where ${condition} order by r.number`.execute(db);
  return rows;
}

/** The people whose money the transfer `t` moved, or whose debt the request `r` repays. */
const ownersSql = sql`select w.person_id from wallet_lot l join wallet w on w.id = l.wallet_id
    where l.account_id in (t.debit_account, t.credit_account) and r.person_id is null
  union select r.person_id where r.person_id is not null`;

async function ownersOf(tx: Tx, number: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from reversal r join transfer t on t.id = r.transfer_id
    join person p on p.id in (${ownersSql}) where r.number = ${number} order by 1`.execute(tx);
  return rows.map(({ id }) => id);
}

/** A line for each person whose money it is; a transfer of no person has its own row as its record. */
async function record(
  tx: Tx,
  { number, transferId, debitAccount }: Reversal,
  act: "ask" | "confirm" | "refuse" | "expire",
  { by, reason, at }: { by: string | null; reason: string; at: Date },
): Promise<void> {
  const actor = by === null ? "system" : `operator:${by}`;
  const account = by === null ? null : userInfo().username;
  const details = { why: reason, reversal: number, transfer: transferId, account };
  const action = `${debitAccount === null ? "reversal" : "debt"}.${act}`;
  const people = await ownersOf(tx, number);
  await auditAll(
    tx,
    people.map((personId) => ({ personId, action, actor, address: null, details, at })),
  );
}
