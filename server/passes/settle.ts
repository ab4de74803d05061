// What makes a purchase a pass: the last look at what may be refused, the money, the pass itself.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDate } from "#contract/french.ts";
import { passOrderCan } from "#contract/pass-states.ts";
import type { Price } from "#contract/passes.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { parisDay, schemeAccount, spend } from "#server/wallet/wallet.ts";
import { type Product, productOf } from "./catalogue.ts";
import { anyLockedOrder, type OrderRow, quoteNow, refuseUnfit, startDayOf } from "./orders.ts";
import { tell } from "./tell.ts";
import { spanOf } from "./validity.ts";

/** Refuses what may not be paid now; gives the price that then holds. */
export async function decide(
  deps: Deps,
  tx: Tx,
  order: OrderRow,
  wanted: { revision: number; totalCents: number },
): Promise<{ product: Product; price: Price }> {
  if (!passOrderCan.pay(order)) throw new Problem("pass_order_state");
  if (order.revision !== wanted.revision) throw new Problem("pass_order_changed");
  const product = await productOf(tx, order.productId);
  if (!product.onSale && passOrderCan.change(order)) throw new Problem("pass_off_sale");
  if (product.kind !== "single" && order.startOn === null) throw new Problem("pass_start");
  if (product.needsStop && order.stopId === null) throw new Problem("pass_stop");
  if (product.needsPhoto && order.photoId === null) throw new Problem("pass_photo");
  const { price } = await quoteNow(tx, order, product, parisDay(deps.now()));
  if (price.totalCents !== wanted.totalCents) {
    throw new Problem("pass_price_changed", { totalCents: price.totalCents });
  }
  await refuseUnfit(deps, tx, order, product);
  return { product, price };
}

/** Two purchases for one person wait for each other: the second sees the pass of the first. */
export const lockHolder = async (tx: Tx, holderId: number) =>
  void (await sql`select from person where id = ${holderId} for no key update`.execute(tx));

export interface Settling {
  order: OrderRow;
  product: Product;
  price: Price;
  walletId: number;
  at: Date;
  /** `purchased`: from the money of a payment alone, never from an aid. */
  lots?: "purchased";
}

/** Moves the money and makes the pass. The late fee is a payment of its own: it may come back alone. */
export async function settle(tx: Tx, settling: Settling): Promise<Issued> {
  const { order, product, price, walletId, at } = settling;
  const to = await schemeAccount(tx, "transport");
  const from = settling.lots ? { from: settling.lots } : {};
  const base = { walletId, to, kind: "purchase", at, ...from } as const;
  const label = `${product.name}, ${order.holder}`;
  if (price.cents > 0) {
    const key = `pass:${order.id}`;
    await spend(tx, { ...base, amountCents: price.cents, key, memo: { label } });
  }
  if (price.lateFeeCents > 0) {
    const memo = { label: `Frais de retard, ${label}` };
    const key = lateFeeKey(order.id);
    await spend(tx, { ...base, amountCents: price.lateFeeCents, key, memo });
  }
  await sql`update pass_order set state = 'paid', paid_at = ${at}, updated_at = ${at},
    wallet_id = ${walletId}, full_cents = ${price.fullCents}, price_cents = ${price.cents},
    price_reason = ${price.reason}, late_fee_cents = ${price.lateFeeCents}
    where id = ${order.id}`.execute(tx);
  return await issue(tx, settling);
}

/** Under which key the late fee of a purchase is paid. */
export const lateFeeKey = (orderId: string): string => `pass-late:${orderId}`;

interface Issued {
  passId: string;
  from: Date;
}

async function issue(tx: Tx, { order, product, at }: Settling): Promise<Issued> {
  const { from, until } = spanOf(product, startDayOf(order, product, parisDay(at)), at);
  const passId = randomUUID();
  const state = from <= at ? "active" : "pending";
  await sql`
    insert into pass (id, holder_id, order_id, product_id, name, state, valid_from, valid_until,
      stop_id, stop_name, created_at)
    values (${passId}, ${order.holderId}, ${order.id}, ${product.id}, ${product.name}, ${state},
      ${from}, ${until}, ${order.stopId}, ${order.stopName}, ${at})`.execute(tx);
  return { passId, from };
}

export async function tellIssued(
  deps: Pick<Deps, "send" | "config">,
  tx: Tx,
  { holderId, buyerId }: OrderRow,
  { name, groupId }: Product,
  { passId, from, at }: Issued & { at: Date },
): Promise<void> {
  const what =
    from <= at
      ? "est payé et valable dès maintenant."
      : `est payé. Il sera valable dès le ${formatDate(parisDay(from))}.`;
  const title = "Titre de transport prêt";
  await tell(tx, deps, { holderId, buyerId, name, groupId, passId, title, what, at });
}

/**
 * Sells a pass at the desk, at an instant, paid from a wallet: for the demo scheme, which lives months
 * in a moment. It asks for no code and tells nobody; the price is that of the day. Gives the purchase.
 */
export async function sellPass(
  tx: Tx,
  sale: {
    personId: number;
    holderId: number;
    product: string;
    startOn: string;
    walletId: number;
    at: Date;
    /** Hands the money over before it is spent: the cents of the price. */
    fund: (cents: number) => Promise<void>;
  },
): Promise<{ orderId: string; passId: string }> {
  const { personId, holderId, startOn, walletId, at } = sale;
  const orderId = randomUUID();
  await sql`
    insert into pass_order (id, person_id, holder_id, product_id, state, start_on, created_at,
      updated_at)
    values (${orderId}, ${personId}, ${holderId}, ${sale.product}, 'draft', ${startOn}, ${at},
      ${at})`.execute(tx);
  const order = await anyLockedOrder(tx, orderId);
  const product = await productOf(tx, order.productId);
  const { price } = await quoteNow(tx, order, product, parisDay(at));
  await sale.fund(price.totalCents);
  const { passId } = await settle(tx, { order, product, price, walletId, at });
  return { orderId, passId };
}
