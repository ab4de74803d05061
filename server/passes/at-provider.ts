// A purchase paid at the provider: its price frozen while the payment is under way, settled in the
// transaction that credits the money, a draft again when the payment comes to nothing.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Caller } from "#server/http/caller.ts";
import { type OrderPayment, startOrderPayment } from "#server/payments/payments.ts";
import { parisDay } from "#server/wallet/wallet.ts";
import { productOf } from "./catalogue.ts";
import { refuseOverlap } from "./list.ts";
import { anyLockedOrder, lockedOrder, quoteNow, startDayOf } from "./orders.ts";
import { decide, lockHolder, settle, tellIssued } from "./settle.ts";
import { spanOf } from "./validity.ts";

export interface AtProvider {
  caller: Caller;
  walletId: number;
  wanted: { order: string; revision: number; totalCents: number };
  siteOrigin: string;
}

/** Opens the payment of a purchase, or finds the one that waits; answers where to pay. */
export async function payAtProvider(deps: Deps, asked: AtProvider): Promise<string | null> {
  const { caller, walletId, wanted, siteOrigin } = asked;
  const label = await inTx(deps.db, async (tx) => {
    const order = await lockedOrder(tx, caller.personId, wanted.order);
    const { product, price } = await decide(deps, tx, order, wanted);
    await sql`update pass_order set state = 'awaiting_payment', wallet_id = ${walletId},
      full_cents = ${price.fullCents}, price_cents = ${price.cents}, price_reason = ${price.reason},
      late_fee_cents = ${price.lateFeeCents}, updated_at = ${deps.now()}
      where id = ${order.id}`.execute(tx);
    return `${product.name}, ${order.holder}`;
  });
  try {
    const started = await startOrderPayment(deps, {
      caller,
      walletId,
      amountCents: wanted.totalCents,
      order: { kind: "pass", id: wanted.order, label },
      returnPath: `/Abonnement/ligne/purchase/abonnement?commande=${wanted.order}`,
      key: null,
      siteOrigin,
    });
    await sql`update pass_order set top_up_id = ${started.id}
      where id = ${wanted.order} and state = 'awaiting_payment'`.execute(deps.db);
    return started.paymentUrl;
  } catch (error) {
    // Nothing is under way: one may change it again. A payment opened before stays what it was.
    await sql`update pass_order set state = 'draft'
      where id = ${wanted.order} and state = 'awaiting_payment' and top_up_id is null`.execute(
      deps.db,
    );
    throw error;
  }
}

/**
 * The money of a purchase is in the wallet: makes the pass from it. Refuses what can no longer be
 * honoured (given up, changed, paid otherwise, another pass meanwhile): the money then stays.
 */
export async function settlePaid(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { orderId, topUpId, walletId, amountCents, at }: OrderPayment,
): Promise<"settled" | "kept"> {
  const order = await anyLockedOrder(tx, orderId);
  const open = order.state === "awaiting_payment" || order.state === "draft";
  if (!open || (order.topUpId !== null && order.topUpId !== topUpId)) {
    throw new Problem("pass_order_state");
  }
  if (order.topUpId === null && order.state === "draft") throw new Problem("pass_order_changed");
  await lockHolder(tx, order.holderId);
  const product = await productOf(tx, order.productId);
  const today = parisDay(at);
  const { price, barred } = await quoteNow(tx, order, product, today);
  if (barred !== null) throw new Problem("pass_not_entitled", { why: barred });
  // Let off a fee meanwhile, one has paid too much: the rest stays in the wallet.
  const enough = order.exemption === "accepted" ? amountCents >= price.totalCents : false;
  if (!enough && amountCents !== price.totalCents) throw new Problem("pass_price_changed");
  const { holderId, productId } = order;
  const { from, until } = spanOf(product, startDayOf(order, product, today), at);
  if (until <= at) throw new Problem("pass_start");
  await refuseOverlap(tx, { holderId, productId, from, until, at });
  const issued = await settle(tx, { order, product, price, walletId, at, lots: "purchased" });
  await tellIssued(deps, tx, order, product, { ...issued, at });
  return "settled";
}

/** The payment came to nothing: the purchase is a draft again, its price that of the day. */
export async function reopenUnpaid(
  tx: Tx,
  _deps: unknown,
  { orderId, topUpId }: OrderPayment,
): Promise<void> {
  await sql`update pass_order set state = 'draft', revision = revision + 1
    where id = ${orderId} and state = 'awaiting_payment'
      and (top_up_id is null or top_up_id = ${topUpId})`.execute(tx);
}
