// A purchase is paid, from a wallet at once or by a payment at the provider, and becomes a pass in the
// same transaction: never money without a pass, never a pass without its money.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { passOrderCan } from "#contract/pass-states.ts";
import { type passes, type Price } from "#contract/passes.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { passes as limits } from "#contract/limits.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import { audit, requireCode } from "#server/identity/identity.ts";
import { mainGroup, parisDay, schemeAccount, spend, walletOf } from "#server/wallet/wallet.ts";
import { type Product, productOf } from "./catalogue.ts";
import {
  anyLockedOrder,
  lockedOrder,
  orderOf,
  orderSeen,
  type OrderRow,
  quoteNow,
  refuseUnfit,
  startDayOf,
} from "./orders.ts";
import { tell } from "./tell.ts";
import { spanOf } from "./validity.ts";

export interface Paying {
  caller: Caller;
  origin: Origin;
  wanted: Parsed<typeof passes.pay>;
}

type Paid = Output<typeof passes.pay>;

/**
 * Pays a purchase, amounts in cents. From a wallet: money and pass in one transaction, with a code from
 * `limits.codeFromCents` on (décision 14). Paid already, it answers that: repeating is safe. What was
 * shown (`revision`, `totalCents`) must still hold. Refuses as its row lists.
 */
export async function payOrder(deps: Deps, paying: Paying): Promise<Paid> {
  const { caller, wanted } = paying;
  const order = await orderOf(deps.db, caller.personId, wanted.order);
  if (order.state === "paid") return await answer(deps, caller, order.id, null);
  const walletId = await payingWallet(deps, caller, wanted.wallet, order);
  if (wanted.by === "provider") throw new Problem("payments_off");
  const useCode = await codeFor(deps, paying, order, walletId);
  await inTx(deps.db, async (tx) => {
    const locked = await lockedOrder(tx, caller.personId, order.id);
    if (locked.state === "paid") return;
    await lockHolder(tx, locked.holderId);
    const { product, price } = await decide(deps, tx, locked, wanted);
    await useCode?.(tx);
    const at = deps.now();
    const issued = await settle(tx, { order: locked, product, price, walletId, at });
    await tellIssued(deps, tx, locked, product, { ...issued, at });
    await audit(tx, {
      personId: caller.personId,
      action: "pass.buy",
      actor: "person",
      address: paying.origin.address,
      details: { name: product.name, amountCents: price.totalCents },
      at,
    });
  });
  return await answer(deps, caller, order.id, null);
}

async function answer(
  deps: Deps,
  caller: Caller,
  id: string,
  paymentUrl: string | null,
): Promise<Paid> {
  const order = await orderOf(deps.db, caller.personId, id);
  return { order: await orderSeen(deps, deps.db, order), paymentUrl };
}

/** The wallet that pays: a main one, or one of the very group whose lines are ridden. */
async function payingWallet(
  deps: Deps,
  caller: Caller,
  objectID: string,
  order: OrderRow,
): Promise<number> {
  const wallet = await walletOf(deps, caller.personId, objectID);
  const { groupId } = await productOf(deps.db, order.productId);
  if (wallet.groupId !== mainGroup && wallet.groupId !== groupId) throw new Problem("pass_wallet");
  return wallet.id;
}

/** Refuses what may not be paid now; gives the price that then holds. */
async function decide(
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
const lockHolder = async (tx: Tx, holderId: number) =>
  void (await sql`select from person where id = ${holderId} for no key update`.execute(tx));

async function codeFor(
  deps: Deps,
  { caller, wanted }: Paying,
  order: OrderRow,
  walletId: number,
): Promise<((tx: Tx) => Promise<void>) | null> {
  if (wanted.totalCents < limits.codeFromCents) return null;
  if (wanted.code === undefined) await rehearse(deps, order, { ...wanted, walletId });
  const { name } = await productOf(deps.db, order.productId);
  return await requireCode(deps, caller, {
    purpose: "pass",
    binding: [order.id, wanted.revision, wanted.totalCents, wanted.wallet],
    what: `payer « ${name} », ${formatMoney(wanted.totalCents)}`,
    challenge: wanted.challenge,
    code: wanted.code,
  });
}

/** Everything that would be refused anyway is refused before a code leaves: done, and undone. */
async function rehearse(
  deps: Deps,
  order: OrderRow,
  wanted: { revision: number; totalCents: number; walletId: number },
): Promise<void> {
  const undone = new Error("rehearsed");
  const trial = inTx(deps.db, async (tx) => {
    const { product, price } = await decide(deps, tx, order, wanted);
    await settle(tx, { order, product, price, walletId: wanted.walletId, at: deps.now() });
    throw undone;
  });
  await trial.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
}

interface Settling {
  order: OrderRow;
  product: Product;
  price: Price;
  walletId: number;
  at: Date;
}

/** Moves the money and makes the pass. The late fee is a payment of its own: it may come back alone. */
async function settle(tx: Tx, settling: Settling): Promise<Issued> {
  const { order, product, price, walletId, at } = settling;
  const to = await schemeAccount(tx, "transport");
  const base = { walletId, to, kind: "purchase", at } as const;
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

async function tellIssued(
  deps: Deps,
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
