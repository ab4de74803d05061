// Orders paid at the provider: opened as a top-up that names its order, settled by the order's own room in
// the transaction that credits the wallet. Money that no order takes stays in the wallet, and its owner is
// notified.
import { sql } from "kysely";
import type { CardState } from "#contract/cards/rows.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { payments } from "#contract/limits.ts";
import type { OrderKind } from "#contract/payments/rows.ts";
import { type Db, inSavepoint, sqlState, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { mayActFor, requireWithinLimits } from "#server/family/family.ts";
import type { Caller } from "#server/http/caller.ts";
import { requireUsableCard } from "#server/wallet/wallet.ts";
import { problemOf } from "../http/errors.ts";
import { orderMoneyOf, type OrderMoney, voidOrderHolds } from "./order-holds.ts";
import { newTopUp } from "./new-top-up.ts";
import type { OrderRef } from "./order-payment.ts";
import type { CreditedTopUp, PaidOrder } from "./postings.ts";
import type { Provider } from "./provider.ts";
import { rows, type Started, startedOf, type TopUpRow } from "./top-ups.ts";

/** Dependencies of rooms while an event of a payment is taken in. */
export type PaymentDeps = Pick<Deps, "db" | "now" | "log" | "config" | "send" | "enqueue">;

/** A payment of an order, as its room receives it. */
export interface OrderPayment {
  orderId: string;
  topUpId: string;
  /** The wallet through which the provider's money passes. */
  walletId: number;
  /** The payer: a guardian for a child's wallet. */
  personId: number;
  /** The amount paid at the provider. */
  amountCents: number;
  /**
   * The revision of the order that was paid, as its room counted it when the payment began; null where it
   * counts none.
   */
  revision: number | null;
  at: Date;
}

/** The same once its money is in the wallet: enough to settle the order. */
export interface PaidPayment extends OrderPayment {
  money: OrderMoney;
}

type OnOrderPaid = (
  tx: Tx,
  deps: PaymentDeps,
  payment: PaidPayment,
) => Promise<"settled" | "unapplied">;
type OnOrderPaymentEnded = (tx: Tx, deps: PaymentDeps, payment: OrderPayment) => Promise<void>;

/**
 * Hook, filled in rooms.ts: the money of an order is in the wallet, the room spends it (`spend` from
 * `money.funds`) and answers `settled`. It answers `unapplied`, or throws, when the order can no longer be
 * honoured: all that it wrote is rolled back and the money stays in the wallet. It is also called for a
 * payment that was declined and then succeeds, and for a second payment of one order.
 */
export const onOrderPaid: Partial<Record<OrderKind, OnOrderPaid>> = {};

/**
 * Hook, filled in rooms.ts: this payment settled nothing; the room releases what it reserved, unless another
 * payment of the order is under way (`hasOtherPayment`).
 */
export const onOrderPaymentEnded: Partial<Record<OrderKind, OnOrderPaymentEnded>> = {};

export interface OrderToPay {
  caller: Caller;
  walletId: number;
  amountCents: number;
  order: { kind: OrderKind; id: string; label: string; revision: number | null };
  /** Path of the portal to which the browser returns; `paiement=<id>` is added to its query. */
  returnPath: string;
  /** Ledger holds of the wallets' part, paid beside `amountCents`. */
  holdIds: readonly number[];
}

/** Opens the charge of a placed payment at the provider, outside any transaction; closes the replaced one. */
export async function openPlaced(
  deps: Deps,
  provider: Provider,
  { replaced, topUp }: PlacedPayment,
  siteOrigin: string,
): Promise<Started> {
  if (replaced?.providerRef) {
    // Best effort: if the replaced charge is paid all the same, its money comes into the wallet.
    await provider.close?.(replaced.providerRef).catch((error: unknown) => {
      deps.log.info({ err: error, topUp: replaced.id }, "a replaced payment could not be closed");
    });
  }
  return await startedOf(deps, provider, topUp, siteOrigin);
}

export interface PlacedPayment {
  topUp: TopUpRow;
  replaced: TopUpRow | null;
}

/** Locks the wallet's row: of two concurrent calls for one order, the second finds the first's payment. */
export async function placeIn(
  tx: Tx,
  deps: Deps,
  provider: Provider,
  request: OrderToPay,
): Promise<PlacedPayment> {
  const { caller, walletId, amountCents, order, holdIds } = request;
  const wallet = await payableWallet(tx, caller.personId, walletId);
  const open = await openFor(tx, order);
  if (open?.state === "authorized") throw new Problem("order_payment_pending");
  const again =
    open?.walletId === walletId &&
    open.amountCents === amountCents &&
    open.payerId === caller.personId &&
    open.orderRevision === order.revision;
  if (open && again) {
    await sql`update top_up set hold_ids = ${[...holdIds]}::bigint[] where id = ${open.id}`.execute(
      tx,
    );
    return { topUp: open, replaced: null };
  }
  const at = deps.now();
  if (amountCents < payments.orderMinCents) {
    throw new Problem("amount_too_small", { min: formatMoney(payments.orderMinCents) });
  }
  if (wallet.frozen) throw new Problem("wallet_frozen");
  requireUsableCard(wallet.cardState);
  const { personId, groupId } = wallet;
  await requireWithinLimits(tx, { personId, groupId, amountCents, at });
  if (open) await replace(tx, open, at);
  return { topUp: await insert(tx, provider, request, at), replaced: open ?? null };
}

interface PayableWallet {
  personId: number;
  groupId: number;
  frozen: boolean;
  cardState: CardState | null;
}

async function payableWallet(tx: Tx, actor: number, walletId: number): Promise<PayableWallet> {
  const found = await query(tx).maybeOne(sql<PayableWallet>`
    select w.person_id, w.group_id, w.frozen_at is not null as frozen,
      (select state from current_card(w.person_id)) as card_state
    from wallet w
    where w.id = ${walletId} and ${mayActFor(actor, sql.ref("w.person_id"))}
    for no key update of w`);
  if (!found) throw new Problem("not_found");
  return found;
}

const openFor = async (db: Db, order: OrderRef) =>
  await rows(db)
    .where("t.orderKind", "=", order.kind)
    .where("t.orderId", "=", order.id)
    .where("t.state", "in", ["initiated", "authorized"])
    .executeTakeFirst();

/** Another amount or another wallet: the first payment is replaced, and credited if it is paid after all. */
async function replace(tx: Tx, { id }: TopUpRow, at: Date): Promise<void> {
  const reason = "Ce paiement a été remplacé par un autre. Rien n'a été débité.";
  await tx
    .updateTable("topUp")
    .set({ state: "declined", reason, updatedAt: at })
    .where("id", "=", id)
    .where("state", "=", "initiated")
    .execute();
}

async function insert(
  tx: Tx,
  provider: Provider,
  request: OrderToPay,
  at: Date,
): Promise<TopUpRow> {
  const { caller, walletId, amountCents, order } = request;
  const { personId } = caller;
  const row = newTopUp(
    { walletId, personId, amountCents, provider: provider.name, at },
    {
      orderKind: order.kind,
      orderId: order.id,
      orderLabel: order.label,
      orderPath: request.returnPath,
      orderRevision: order.revision,
      holdIds: request.holdIds.map(String),
    },
  );
  await tx.insertInto("topUp").values(row).execute();
  return await rows(tx).where("t.id", "=", row.id).executeTakeFirstOrThrow();
}

/** The outcome of an order whose payment was credited, and the sentence that says why it was not settled. */
export interface OrderOutcome {
  outcome: "settled" | "unapplied";
  why: string | null;
}

/**
 * Lets the order's room settle it from the money just credited, under a savepoint: if the room fails, the
 * credit stays, holds are released and the order may be changed.
 */
export async function settleOrder(
  tx: Tx,
  deps: PaymentDeps,
  topUp: CreditedTopUp & { order: PaidOrder },
  at: Date,
): Promise<OrderOutcome> {
  const settled = await settledBy(tx, deps, topUp, at);
  if (settled.outcome === "unapplied") await endOrder(tx, deps, topUp, at);
  return settled;
}

async function settledBy(
  tx: Tx,
  deps: PaymentDeps,
  topUp: CreditedTopUp & { order: PaidOrder },
  at: Date,
): Promise<OrderOutcome> {
  const settle = onOrderPaid[topUp.order.kind];
  if (!settle) return { outcome: "unapplied", why: null };
  await sql`savepoint order_paid`.execute(tx);
  try {
    const money = await orderMoneyOf(tx, topUp, at);
    const outcome = await settle(tx, deps, { ...paymentOf(topUp, at), money });
    if (outcome === "settled") {
      await sql`release savepoint order_paid`.execute(tx);
      return { outcome, why: null };
    }
    await sql`rollback to savepoint order_paid`.execute(tx);
    return { outcome, why: null };
  } catch (error) {
    await sql`rollback to savepoint order_paid`.execute(tx);
    return { outcome: "unapplied", why: whyOf(deps, topUp, error) };
  }
}

/**
 * Releases the holds of the order and tells its room that this payment failed; an error of the room does not
 * undo that.
 */
export async function endOrder(
  tx: Tx,
  deps: PaymentDeps,
  topUp: CreditedTopUp & { order: PaidOrder },
  at: Date,
): Promise<void> {
  await voidOrderHolds(tx, topUp.holdIds, at);
  const end = onOrderPaymentEnded[topUp.order.kind];
  if (!end) return;
  try {
    await inSavepoint(tx, () => end(tx, deps, paymentOf(topUp, at)));
  } catch (error) {
    whyOf(deps, topUp, error);
  }
}

const paymentOf = (topUp: CreditedTopUp & { order: PaidOrder }, at: Date): OrderPayment => ({
  orderId: topUp.order.id,
  topUpId: topUp.id,
  walletId: topUp.walletId,
  personId: topUp.payerId,
  amountCents: topUp.amountCents,
  revision: topUp.order.revision,
  at,
});

/**
 * The sentence of a refusal, null for an internal error, which is logged. A temporary problem is thrown
 * again.
 */
function whyOf(deps: PaymentDeps, topUp: CreditedTopUp, error: unknown): string | null {
  if (["40001", "40P01", "55P03"].includes(sqlState(error))) throw error;
  const problem = problemOf(error);
  if (problem.code === "unavailable") throw error;
  if (problem.code !== "internal") return problem.message;
  deps.log.error({ err: error, topUp: topUp.id }, "an order could not be settled");
  return null;
}
