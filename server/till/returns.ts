// Refunds at the counter: the whole sale within a quarter of an hour, a part of it later. They go to the
// wallets that paid (server/checkout).
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { till as limits } from "#contract/till/limits.ts";
import type { TillSale } from "#contract/till/rows.ts";
import { tillSaleCan } from "#contract/till/states.ts";
import { previewRefund, refund, refundedTo } from "#server/checkout/checkout.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import type { Deps } from "#server/process/deps.ts";
import type { ReversedTransfer } from "#server/wallet/wallet.ts";
import { announceReturn, announceReversed, tellCounter } from "./announcements.ts";
import { correctPoints } from "./points.ts";
import {
  cancelUntil,
  lockCompanySale,
  priceOf,
  type SaleRow,
  salesWhere,
  toTillSaleView,
} from "./sales.ts";

/** Runs on a sale of the caller's company, its row locked. */
async function onSale<Input extends { sale: string }>(
  call: CompanyCall<Input>,
  work: (tx: Tx, sale: SaleRow) => Promise<TillSale>,
): Promise<TillSale> {
  const { company, input } = call;
  return await inCompanyTx(call, async (tx) =>
    work(tx, await lockCompanySale(tx, company.companyId, input.sale)),
  );
}

/** Withdraws a sale that waits for the holder; repeating it changes nothing. Refuses `till_state`. */
export function withdrawSale(call: CompanyCall<{ sale: string }>): Promise<TillSale> {
  return onSale(call, async (tx, sale) => {
    if (sale.state === "withdrawn") return toTillSaleView(sale);
    if (!tillSaleCan.withdraw(sale)) throw new Problem("till_state");
    await sql`update till_sale set state = 'withdrawn', ended_at = ${call.deps.now()}
      where id = ${sale.id}`.execute(tx);
    await tellCounter(tx, sale);
    return toTillSaleView({ ...sale, state: "withdrawn" });
  });
}

/**
 * Cancels a sale within a quarter of an hour: all of it is refunded to the wallets that paid. Repeating it
 * changes nothing. Refuses `till_late`, `till_state` (spec.md 21).
 */
export function cancelSale(call: CompanyCall<{ sale: string }>): Promise<TillSale> {
  const { deps, caller } = call;
  return onSale(call, async (tx, sale) => {
    if (sale.state === "cancelled") return toTillSaleView(sale);
    if (!tillSaleCan.cancel(sale)) throw new Problem("till_state");
    if (sale.paidAt && cancelUntil(sale.paidAt) < deps.now()) {
      throw new Problem("till_late", { minutes: limits.cancelMinutes });
    }
    const amountCents = priceOf(sale);
    return await giveBack(tx, deps, sale, { amountCents, state: "cancelled", by: caller.personId });
  });
}

/**
 * Refunds a part of a sale, or the rest; `refundedCents` is the amount already refunded when it was decided,
 * so that a repeated call refunds once. Amounts in cents. Refuses `till_state`, `till_too_much`.
 */
export function refundSale(
  call: CompanyCall<{ sale: string; amountCents: number; refundedCents: number }>,
): Promise<TillSale> {
  const { deps, caller, input } = call;
  const { amountCents } = input;
  return onSale(call, async (tx, sale) => {
    if (!tillSaleCan.refund(sale) || sale.refundedCents !== input.refundedCents) {
      throw new Problem("till_state");
    }
    const leftCents = priceOf(sale) - sale.refundedCents;
    if (amountCents > leftCents)
      throw new Problem("till_too_much", { left: formatMoney(leftCents) });
    const state = amountCents === leftCents ? "refunded" : "paid";
    return await giveBack(tx, deps, sale, { amountCents, state, by: caller.personId });
  });
}

/**
 * Called when two operators reverse a payment of a sale: the sale counts as refunded by that amount, with its
 * points, and the company is notified. When they reverse a refund, that amount is paid again, and may be
 * refunded anew. Neither is a refund by the counter, whose day keeps the operations of its cashiers.
 */
export async function returnReversed(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { number, key, amountCents, reason, at }: ReversedTransfer,
): Promise<void> {
  const [, id, isRefund] = /^till:([^:]+)(:refund:\d+)?$/.exec(key) ?? [];
  if (id === undefined) return;
  const [sale] = await salesWhere(tx, sql`s.id = ${id}`, sql`for update of s`);
  if (!sale) return;
  const price = priceOf(sale);
  const refundedCents = isRefund
    ? Math.max(0, sale.refundedCents - amountCents)
    : Math.min(price, sale.refundedCents + amountCents);
  await correctPoints(tx, sale, { refundedCents, act: `reversal:${number}`, at });
  const state = refundedCents === price ? "refunded" : "paid";
  await sql`update till_sale set state = ${state}, refunded_cents = ${refundedCents},
    ended_at = ${state === "paid" ? null : at}::timestamptz where id = ${sale.id}`.execute(tx);
  await announceReversed(tx, deps, sale, {
    cents: amountCents,
    isRefund: isRefund !== undefined,
    reason,
    at,
  });
}

async function giveBack(
  tx: Tx,
  deps: Deps,
  sale: SaleRow,
  { amountCents, state, by }: { amountCents: number; state: SaleRow["state"]; by: number },
): Promise<TillSale> {
  const at = deps.now();
  // The part that an operator reversed is refunded already: it is not refunded twice.
  const { refundCents, lostCents } = await previewRefund(
    tx,
    { kind: "till" },
    { orderId: sale.id, amountCents, at },
  );
  const leftCents = refundCents + lostCents;
  if (leftCents < amountCents) throw new Problem("till_too_much", { left: formatMoney(leftCents) });
  const label = state === "cancelled" ? "Annulation" : "Remboursement";
  const { place } = await query(tx).one(sql<{ place: number }>`
    insert into till_return (sale_id, place, amount_cents, by_id, at)
    select ${sale.id}, count(*) + 1, ${amountCents}, ${by}, ${at} from till_return
    where sale_id = ${sale.id} returning place`);
  const points = await correctPoints(tx, sale, {
    refundedCents: sale.refundedCents + amountCents,
    act: `return:${place}`,
    at,
  });
  const result = await refund(
    tx,
    { kind: "till", account: "tills" },
    { orderId: sale.id, amountCents, at, label: `${label}, ${sale.partnerName}` },
  );
  const refundedCents = sale.refundedCents + amountCents;
  await sql`update till_sale set state = ${state}, refunded_cents = ${refundedCents}, ended_at = ${at}
    where id = ${sale.id}`.execute(tx);
  const announcement = { cents: result.refundCents, to: refundedTo(result), points, at };
  await announceReturn(tx, deps, sale, announcement);
  return toTillSaleView({ ...sale, state, refundedCents });
}
