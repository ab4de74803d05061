// Reversals of a transfer, and repayments of a debt (debts.ts), by two operators: the ledger posts the
// opposite transfer, or the repayment. A reversal undoes money alone: what was bought with it stays.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditAll } from "#server/identity/identity.ts";
import { postedUnder, reverse } from "#server/ledger/ledger.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { postRepayment, repaidNews, repaidOf, requireOwed } from "./debts.ts";
import { sweepAgain } from "./expiry.ts";
import { refundsUnder } from "./refund-keys.ts";

export interface Reversal {
  number: number;
  transferId: number;
  reason: string;
  /** The account that requested it, or the name that operators typed before accounts were compared. */
  requestedBy: string;
  requestedAt: Date;
  answeredBy: string | null;
  postedId: number | null;
  /** The repaid amount, or the amount of the transfer. */
  amountCents: number;
  /** The account that repays a debt; null for a reversal. */
  debitAccount: number | null;
  kind: string;
  /** The key of the transfer: of an order, its room and its id. */
  key: string;
  /** The label of the transfer. */
  label: string | null;
  /** The part already refunded, in cents: a reversal of the transfer refunds that part again. */
  refundedCents: number;
  /** Owners of the wallets that the transfer touches. */
  owners: string[];
}

/** A transfer that two operators reverse. */
export interface ReversedTransfer {
  /** Number of the reversal, unique. */
  number: number;
  /** The key of the transfer: of an order, its room and its id. */
  key: string;
  amountCents: number;
  reason: string;
  at: Date;
}

/** Hook: rooms adapt their own rows to a transfer that is reversed, before the opposite one is posted. */
export const onReversed: ((
  tx: Tx,
  deps: OperatorDeps,
  undone: ReversedTransfer,
) => Promise<void>)[] = [];

/** Two operators, by their accounts of the operating system, and their reason. */
export interface TwoOperators {
  /** Null during the trial run, which is rolled back. */
  requestedBy: string | null;
  by: string;
  reason: string;
}

/**
 * Reverses a transfer by the opposite one. Gives the transfer as it was before. Refuses `not_found`,
 * `already_reversed`, `debt_repaid`, and as the ledger does (`insufficient_funds`).
 */
export async function undoTransfer(
  tx: Tx,
  deps: OperatorDeps,
  transferId: number,
  signed: TwoOperators,
): Promise<Reversal> {
  const row = await query(tx).maybeOne(sql<{ reversed: boolean }>`
    select exists (select from transfer r where r.reverses = t.id) as reversed
    from transfer t where t.id = ${transferId}`);
  if (!row) throw new Problem("not_found");
  if (row.reversed) throw new Problem("already_reversed");
  if ((await repaidOf(tx, [transferId])) > 0) throw new Problem("debt_repaid");
  const at = deps.now();
  const found = await insertReversal(tx, transferId, { ...signed, at, repayment: null });
  // Rooms lock their rows before the accounts, as they do for a refund.
  for (const step of onReversed) await step(tx, deps, { ...found, at });
  const { number, reason } = found;
  const key = `reversal:${number}`;
  const posted = await reverse(tx, transferId, { key, kind: "correction", reason, at });
  await finish(tx, deps, found, { ...signed, postedId: posted.id, at });
  return found;
}

/** Repayment of a debt: from the bank's account or from a lot, and the debtor. */
export interface Repayment {
  debitAccount: number;
  amountCents: number;
  personId: number;
}

/**
 * Repays a debt, the transfer that took money from the account of disputes, whole or in part. Refuses
 * `debt_amount` beyond the unpaid part, and `insufficient_funds`.
 */
export async function repayDebt(
  tx: Tx,
  deps: OperatorDeps,
  transferId: number,
  { repayment, ...signed }: TwoOperators & { repayment: Repayment },
): Promise<Reversal> {
  await requireOwed(tx, transferId, repayment.amountCents);
  const at = deps.now();
  const found = await insertReversal(tx, transferId, { ...signed, at, repayment });
  const { debitAccount, amountCents } = repayment;
  const key = `reversal:${found.number}`;
  const posted = await postRepayment(tx, { key, transferId, debitAccount, amountCents, at });
  await finish(tx, deps, found, { ...signed, postedId: posted.id, at });
  return found;
}

async function insertReversal(
  tx: Tx,
  transferId: number,
  {
    requestedBy,
    by,
    reason,
    at,
    repayment,
  }: TwoOperators & { at: Date; repayment: Repayment | null },
): Promise<Reversal> {
  const asker = requestedBy ?? by;
  const { number } = await query(tx).one(sql<{ number: number }>`
    insert into reversal (transfer_id, reason, requested_by, requester_account, requested_at, expires_at,
      amount, debit_account, person_id)
    values (${transferId}, ${reason}, ${asker}, ${asker}, ${at}, ${at},
      ${repayment?.amountCents ?? null}, ${repayment?.debitAccount ?? null}, ${repayment?.personId ?? null})
    returning number`);
  const [found] = await reversalsWhere(tx, sql`r.number = ${number}`);
  if (!found) throw new Error("the reversal just written is not there");
  return found;
}

/** Records both operators in the audit trail, and notifies the people whose money it is. */
async function finish(
  tx: Tx,
  deps: OperatorDeps,
  found: Reversal,
  { requestedBy, by, postedId, at }: TwoOperators & { postedId: number; at: Date },
): Promise<void> {
  if (requestedBy === null) return;
  const { number, debitAccount } = found;
  const credited = await postedUnder(tx, `reversal:${number}`);
  await sweepAgain(
    tx,
    credited.map(({ creditAccount }) => creditAccount),
    at,
  );
  await sql`update reversal set state = 'confirmed', answered_by = ${by}, answered_account = ${by},
    answered_at = ${at}, posted_id = ${postedId} where number = ${number}`.execute(tx);
  await record(tx, found, { requestedBy, by, at });
  await announce(tx, deps, {
    to: await ownersOf(tx, number),
    about: "top_up",
    ...(debitAccount === null ? reversedNews(found) : await repaidNews(tx, found)),
    path: paths.wallets,
    at,
    changed: ["wallets"],
  });
}

const reversedNews = ({ amountCents, reason }: Reversal) => ({
  title: "Une opération a été corrigée",
  body:
    `Une opération de ${formatMoney(amountCents)} a été annulée par une écriture inverse ` +
    `du service clients\u202f: ${reason}`,
});

/** The two hundred latest, the oldest of them first. */
export const reversals = (db: Db): Promise<Reversal[]> =>
  reversalsWhere(
    db,
    sql`r.state = 'confirmed' and r.number > (select coalesce(max(number), 0) - 200 from reversal)`,
  );

async function reversalsWhere(db: Db, condition: ReturnType<typeof sql>): Promise<Reversal[]> {
  const { rows } = await sql<Reversal>`
    select r.number, r.transfer_id, r.reason, r.requested_by,
      r.requested_at, r.answered_by, r.posted_id,
      coalesce(r.amount, t.amount) as amount_cents, r.debit_account, t.kind,
      t.key, t.memo ->> 'label' as label,
      (select coalesce(sum(b.amount), 0)::bigint from ${refundsUnder(sql`t.key`)} b
        where b.memo ->> 'lot' = t.debit_account::text
          and not exists (select from transfer u where u.reverses = b.id)) as refunded_cents,
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

/**
 * An audit entry for each person whose money it is; for a transfer of no person, its own row is the record.
 */
async function record(
  tx: Tx,
  { number, transferId, debitAccount, reason }: Reversal,
  { requestedBy, by, at }: { requestedBy: string; by: string; at: Date },
): Promise<void> {
  const details = { why: reason, reversal: number, transfer: transferId, requestedBy };
  const action = debitAccount === null ? "reversal.confirm" : "debt.confirm";
  const people = await ownersOf(tx, number);
  const line = { action, actor: `operator:${by}`, address: null, details, at };
  await auditAll(
    tx,
    people.map((personId) => ({ ...line, personId })),
  );
}
