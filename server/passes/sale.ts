// Passes as a sale of the checkout: quotes a purchase and creates the pass once it is paid.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { passOrderCan } from "#contract/passes/states.ts";
import type { Price } from "#contract/passes/fares.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import { type Quote, type Sale, type SaleContext } from "#server/checkout/checkout.ts";
import { type Product, productOf } from "./catalogue.ts";
import {
  lockOrder,
  lockOrderOf,
  type OrderRow,
  quoteNow,
  requirePurchasable,
  startDayOf,
} from "./orders.ts";
import { onSharedPassBought } from "./employer-share.ts";
import { announcePass } from "./announcements.ts";
import { spanOf } from "./validity.ts";

interface PassQuote extends Quote {
  product: Product;
  price: Price;
}

export const passSale: Sale<OrderRow, PassQuote> = {
  kind: "pass",
  account: "transport",
  lock: (tx, id, caller) =>
    caller === null ? lockOrder(tx, id) : lockOrderOf(tx, caller.personId, id),
  isPaid: ({ state }) => state === "paid",
  quote,
  hold: (tx, order, { price }, { walletId, at }) =>
    freezePrice(tx, order.id, price, { state: "awaiting_payment", walletId, at }),
  returnPath: ({ id }) => linkTo(paths.passPurchase, {}, { order: id }),
  fulfil: async (tx, deps, order, { quote: { product, price }, sold, receipt }) => {
    const { passId, from } = await createPass(tx, order, { product, price, sold });
    const { holderId, buyerId } = order;
    const { name, groupId } = product;
    const what =
      from <= sold.at
        ? "est payé et valable dès maintenant."
        : `est payé. Il sera valable dès le ${formatDate(parisDay(from))}.`;
    const title = "Titre de transport prêt";
    await announcePass(tx, deps, {
      holderId,
      payer: { id: buyerId, receipt },
      name,
      groupId,
      passId,
      title,
      what,
      at: sold.at,
    });
  },
  reopen: async (tx, orderId) => {
    await sql`update pass_order set state = 'draft'
      where id = ${orderId} and state = 'awaiting_payment'`.execute(tx);
  },
};

/** The price of an order; refuses one that may not be bought or can no longer be honoured. */
async function quote(
  tx: Tx,
  order: OrderRow,
  { at, late }: { at: Date; late: boolean },
): Promise<PassQuote> {
  if (!passOrderCan.pay(order)) throw new Problem("pass_order_state");
  // Concurrent purchases for one person wait for each other: the second sees the pass of the first.
  await sql`select from person where id = ${order.holderId} for no key update`.execute(tx);
  const product = await productOf(tx, order.productId);
  if (!late) {
    if (!product.onSale && passOrderCan.change(order)) throw new Problem("pass_off_sale");
    if (product.kind !== "single" && order.startOn === null) throw new Problem("pass_start");
    if (product.needsStop && order.stopId === null) throw new Problem("pass_stop");
    if (product.needsPhoto && order.photoId === null) throw new Problem("pass_photo");
  }
  await requirePurchasable(tx, order, product, { at, late });
  const { price } = await quoteNow(tx, order, product, parisDay(at));
  return {
    totalCents: price.totalCents,
    label: `${product.name}, ${order.holder}`,
    groupId: product.groupId,
    product,
    price,
  };
}

async function freezePrice(
  tx: Tx,
  orderId: string,
  { fullCents, cents, reason, lateFeeCents, employer }: Price,
  { state, walletId, at }: { state: "awaiting_payment" | "paid"; walletId: number; at: Date },
): Promise<void> {
  await sql`update pass_order set state = ${state}, wallet_id = ${walletId},
    full_cents = ${fullCents}, price_cents = ${cents}, price_reason = ${reason},
    late_fee_cents = ${lateFeeCents}, employer_cents = ${employer?.cents ?? 0},
    employer_percent = ${employer?.percent ?? null},
    employer_name = ${employer?.name ?? null}, employer_enrolment = ${employer?.enrolment ?? null},
    updated_at = ${at},
    paid_at = ${state === "paid" ? at : null} where id = ${orderId}`.execute(tx);
}

export async function createPass(
  tx: Tx,
  order: OrderRow,
  { product, price, sold }: { product: Product; price: Price; sold: Omit<SaleContext, "buyerId"> },
): Promise<{ passId: string; from: Date }> {
  const { walletId, at } = sold;
  await freezePrice(tx, order.id, price, { state: "paid", walletId, at });
  const { from, until } = spanOf(product, startDayOf(order, product, parisDay(at)), at);
  const passId = randomUUID();
  const state = from <= at ? "active" : "pending";
  await sql`
    insert into pass (id, holder_id, order_id, product_id, name, state, valid_from, valid_until,
      stop_id, stop_name, created_at)
    values (${passId}, ${order.holderId}, ${order.id}, ${product.id}, ${product.name}, ${state},
      ${from}, ${until}, ${order.stopId}, ${order.stopName}, ${at})`.execute(tx);
  if (price.employer) {
    const purchase = {
      orderId: order.id,
      enrolmentId: price.employer.enrolment,
      holderId: order.holderId,
      productId: product.id,
      productName: product.name,
      kind: product.kind,
      cents: price.cents,
      employerCents: price.employer.cents,
      employerPercent: price.employer.percent,
      firstDay: parisDay(from),
      lastDay: parisDay(new Date(until.getTime() - 1)),
      label: `${product.name}, ${order.holder}`,
      at,
    };
    for (const step of onSharedPassBought) await step(tx, purchase);
  }
  return { passId, from };
}
