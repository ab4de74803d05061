// Refunds of orders, to the lots that paid, the last one first.
import { sql } from "kysely";
import { formatMoney } from "#contract/french.ts";
import type { OrderKind } from "#contract/payments/rows.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { post, postedUnder } from "#server/ledger/ledger.ts";
import {
  aidReturned,
  refundKey,
  refundsUnder,
  type SchemeAccount,
  schemeAccount,
} from "#server/wallet/wallet.ts";

/** What can be paid once and refunded: orders, and sales at a till. */
export type PaidKind = OrderKind | "till";

/** The key under which an order is paid, once for ever. */
export const paidUnder = (kind: PaidKind, orderId: string): string => `${kind}:${orderId}`;

interface Part {
  lot: number;
  /** « Cantine, Léo Moreau ». */
  wallet: string;
  amountCents: number;
  expired: boolean;
  /** Account that gets its money past its expiry; null: the scheme's expired aids. */
  returnsTo: number | null;
}

/** Amounts that would be refunded, in cents, by wallet; `lostCents` is aid whose last day has passed. */
export interface RefundView {
  refundCents: number;
  lostCents: number;
  to: { wallet: string; amountCents: number }[];
}

async function partsOf(
  db: Db,
  paid: string,
  cents: number,
  at: Date,
): Promise<{ parts: Part[]; next: string }> {
  const transfers = await postedUnder(db, paid);
  const { rows: lots } = await sql<Omit<Part, "amountCents">>`
    select l.account_id as lot, w.name || ', ' || p.name as wallet, l.expires_on is not null
      and l.expires_on < paris_day(${at}::timestamptz) as expired, l.returns_to
    from wallet_lot l join wallet w on w.id = l.wallet_id join person p on p.id = w.person_id
    where l.account_id = any (${transfers.map(({ debitAccount }) => debitAccount)}::bigint[])`.execute(
    db,
  );
  const ids = transfers.map(({ id }) => id);
  // A correction by an operator was refunded too, to the lot that had paid.
  const { rows: before } = await sql<{ lot: number; cents: number; number: number }>`
    select (r.memo ->> 'lot')::bigint as lot, r.number,
      case when exists (select from transfer back where back.reverses = r.id) then 0
        else r.amount end as cents
    from ${refundsUnder(sql`${paid}::text`)} r
    union all
    select credit_account, 0, amount from transfer where reverses = any (${ids}::bigint[])`.execute(
    db,
  );
  let missing = cents;
  const parts = transfers.toReversed().flatMap(({ debitAccount, amountCents: paidCents }) => {
    const lot = lots.find((one) => one.lot === debitAccount);
    const back = before.filter((one) => one.lot === debitAccount);
    const room = paidCents - back.reduce((sum, one) => sum + one.cents, 0);
    const amountCents = Math.min(missing, room);
    missing -= amountCents;
    return lot && amountCents > 0 ? [{ ...lot, amountCents }] : [];
  });
  const next = refundKey(paid, Math.max(0, ...before.map(({ number }) => number)) + 1);
  return { parts, next };
}

function toRefundView(parts: readonly Part[]): RefundView {
  const sum = (some: readonly Part[]) => some.reduce((total, one) => total + one.amountCents, 0);
  const coming = parts.filter(({ expired }) => !expired);
  const to = [...Map.groupBy(coming, ({ wallet }) => wallet)].map(([wallet, some]) => ({
    wallet,
    amountCents: sum(some),
  }));
  const refundCents = sum(coming);
  return { refundCents, lostCents: sum(parts) - refundCents, to };
}

/** Preview of refunding so many cents of an order: how much goes to which wallets. */
export async function previewRefund(
  db: Db,
  { kind }: { kind: PaidKind },
  { orderId, amountCents, at }: RefundInput,
): Promise<RefundView> {
  return toRefundView((await partsOf(db, paidUnder(kind, orderId), amountCents, at)).parts);
}

interface RefundInput {
  orderId: string;
  /** Part of the payment; never more than what has not been refunded yet. */
  amountCents: number;
  at: Date;
}

/**
 * Refunds so many cents of a paid order to the lots that paid, the last one first; aid whose last day has
 * passed is not revived, it goes to whoever gave it (spec.md 28). The caller holds the order's lock.
 */
export async function refund(
  tx: Tx,
  { kind, account }: { kind: PaidKind; account: SchemeAccount },
  { orderId, amountCents, at, label }: RefundInput & { label: string },
): Promise<RefundView> {
  const { parts, next } = await partsOf(tx, paidUnder(kind, orderId), amountCents, at);
  const from = await schemeAccount(tx, account);
  const over = await schemeAccount(tx, "expired");
  await post(
    tx,
    parts.map((part) => ({
      key: next,
      debitAccount: from,
      creditAccount: part.expired ? (part.returnsTo ?? over) : part.lot,
      amountCents: part.amountCents,
      kind: "refund",
      memo: { label, lot: part.lot },
      at,
    })),
  );
  for (const { lot, amountCents: cents, expired, returnsTo } of parts) {
    if (!expired || returnsTo === null) continue;
    await aidReturned(tx, { accountId: lot, amountCents: cents, why: "refunded", at });
  }
  return toRefundView(parts);
}

/** « 3,00 € sur Cantine, Léo Moreau et 9,00 € sur Cagnotte principale, Camille Moreau ». */
export const refundedTo = ({ to }: Pick<RefundView, "to">): string =>
  to.map(({ wallet, amountCents }) => `${formatMoney(amountCents)} sur ${wallet}`).join(" et ");
