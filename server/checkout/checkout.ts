// Checkout is the one way to pay for what other rooms sell: the price seen is the price paid, from a wallet
// or at the provider; above one threshold a code is required; an order is paid once, whatever repeats the
// call. It refuses a wallet outside its acceptance group, and keeps in the wallet money that arrives late or
// twice. A room that sells implements `Sale` and keeps its own states.
import type { PaymentMethod } from "#contract/checkout/rows.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import type { OrderKind } from "#contract/payments/rows.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Origin } from "#server/http/caller.ts";
import { audit, type Proof } from "#server/identity/identity.ts";
import {
  onOrderPaid,
  onOrderPaymentEnded,
  openOrderPayment,
  releaseHolds,
  hasOtherPayment,
  type OrderPayment,
  type PaidPayment,
  type PaymentDeps,
  type PlacedPayment,
  placeOrderPayment,
  requireNotAtBank,
} from "#server/payments/payments.ts";
import type { Deps } from "#server/process/deps.ts";
import { attachAs, type HookStep } from "#server/process/room.ts";
import { type Fund, type SchemeAccount, schemeAccount, spend } from "#server/wallet/wallet.ts";
import { withApproval } from "./approval.ts";
import { requireRevision } from "./draft.ts";
import {
  boundWallets,
  lockPayerTies,
  type NamedWallets,
  namedWalletsOf,
  ownSharesOf,
  type OwnShares,
  type PaymentWallet,
} from "./paying-wallets.ts";
import { recordPurchase } from "./purchases.ts";
import type { CardShare } from "./receipt.ts";
import { paidUnder } from "./refund.ts";
import type { AnyOrder, Quote, Sale, SaleContext } from "./sale.ts";
import { holdWalletShares } from "./split-payment.ts";

export { withApproval } from "./approval.ts";
export { abandonOrder, requireRevision, reviseOrder, withdrawOrder } from "./draft.ts";
export { requireAccepted } from "./paying-wallets.ts";
export { paidUnder, previewRefund, refund, refundedTo } from "./refund.ts";
export { receiptLines, walletSharesOf } from "./receipt.ts";
export type { RefundView } from "./refund.ts";
export type { Quote, ReservedMoney, Sale, SaleContext } from "./sale.ts";

/** The caller's request to pay; amounts in cents. */
export interface PaymentRequest extends Proof, NamedWallets {
  origin: Origin;
  siteOrigin: string;
  orderId: string;
  method: PaymentMethod;
  /** The price that the caller saw. */
  totalCents: number;
  /** The provider's part beside a wallet, as the caller saw it, with `both`. */
  cardCents?: number | undefined;
  revision?: number;
}

/**
 * Pays an order from a wallet at once, or starts its payment at the provider and returns where to pay (null
 * once it is paid). The order identifies the intention: a repeated call, another tab, a try after a failure
 * pay it once, without any idempotency key (spec.md 15). Refuses `checkoutProblems` and what the quote
 * refuses (spec.md 14, 17, 28 and 30).
 */
export async function pay<Order extends AnyOrder, Q extends Quote>(
  deps: Deps,
  sale: Sale<Order, Q>,
  request: PaymentRequest,
): Promise<{ topUp: string; paymentUrl: string | null } | null> {
  const { caller, orderId, totalCents, origin } = request;
  if (request.method !== "wallet" && totalCents > 0) {
    return await payAtProvider(deps, sale, request);
  }
  const seen = [request.revision ?? null, totalCents, request.objectID];
  const binding = [sale.kind, orderId, ...seen, ...boundWallets(request)];
  const admit = admission(sale, request);
  const approval = { ...request, purpose: "payment" as const, binding, admit };
  await withApproval(deps, approval, async (tx) => {
    const named = await namedWalletsOf(tx, deps, request);
    const order = await sale.lock(tx, orderId, caller);
    if (sale.isPaid(order)) return null;
    const at = deps.now();
    const { quote, own } = await requireQuoteSeen(tx, sale, order, { request, named, at });
    const sold = { walletId: named.wallet.id, buyerId: caller.personId, at };
    const paid = { quote, sold, ownWallets: own.wallets, address: origin.address };
    await payAndFulfil(tx, deps, sale, order, paid);
    const what = `payer ${formatMoney(quote.totalCents)} pour «\u00a0${quote.label}\u00a0»`;
    const amountCents = sale.isUncounted ? 0 : quote.totalCents;
    return { amountCents, what, companyCents: await sale.companyCents?.(tx, order, at) };
  });
  return null;
}

/**
 * Starts the payment at the provider: of the whole, or of what own wallets leave; with `both` of what a
 * wallet lacks. The wallets' part is held until the payment has its outcome, and requires the code like any
 * spending; the bank approves the rest.
 */
async function payAtProvider<Order extends AnyOrder, Q extends Quote>(
  deps: Deps,
  sale: Sale<Order, Q>,
  request: PaymentRequest,
): Promise<{ topUp: string; paymentUrl: string | null } | null> {
  const { caller, orderId: id, siteOrigin, totalCents, cardCents, objectID, method } = request;
  const started: { payment: PlacedPayment | null } = { payment: null };
  const seen = [request.revision ?? null, totalCents, cardCents ?? null];
  const binding = [sale.kind, id, objectID, ...seen, ...boundWallets(request)];
  const admit = admission(sale, request);
  await withApproval(deps, { ...request, purpose: "payment", binding, admit }, async (tx) => {
    started.payment = null;
    const named = await namedWalletsOf(tx, deps, request);
    const { wallet } = named;
    const order = await sale.lock(tx, id, caller);
    if (sale.isPaid(order)) return null;
    const at = deps.now();
    const { quote, own } = await requireQuoteSeen(tx, sale, order, { request, named, at });
    const split = { caller, method, wallet, own, quote, cardCents, orderId: id, at };
    const shares = await holdWalletShares(tx, sale, split);
    started.payment = await placeOrderPayment(tx, deps, {
      caller,
      walletId: shares.throughId,
      amountCents: quote.totalCents - shares.heldCents,
      order: { kind: sale.kind, id, label: quote.label, revision: order.revision ?? null },
      returnPath: sale.returnPath(order),
      holdIds: shares.holdIds,
    });
    await sale.hold?.(tx, order, quote, { walletId: wallet.id, buyerId: caller.personId, at });
    const what = `payer ${formatMoney(shares.heldCents)} avec la cagnotte pour «\u00a0${quote.label}\u00a0»`;
    const amountCents = sale.isUncounted ? 0 : shares.heldCents;
    const companyCents = amountCents + ((await sale.companyCents?.(tx, order, at)) ?? 0);
    return { amountCents, what, companyCents };
  });
  const placed = started.payment;
  if (placed === null) return null;
  try {
    const { id: topUp, paymentUrl } = await openOrderPayment(deps, placed, siteOrigin);
    return { topUp, paymentUrl };
  } catch (error) {
    // Nothing can be paid there: the order may be changed, and the next try finds the same payment.
    await inTx(deps.db, async (tx) => {
      const isOver = await reopenOrder(tx, sale, { orderId: id, topUpId: placed.topUp.id });
      if (isOver) await releaseHolds(tx, { kind: sale.kind, id });
    });
    throw error;
  }
}

/**
 * A payment settled nothing: unless another payment of the order is under way by now, the order is open
 * again.
 */
async function reopenOrder(
  tx: Tx,
  sale: Pick<Sale<AnyOrder>, "kind" | "lock" | "reopen">,
  { orderId, topUpId }: { orderId: string; topUpId: string },
): Promise<boolean> {
  await sale.lock(tx, orderId, null);
  if (await hasOtherPayment(tx, { kind: sale.kind, id: orderId }, topUpId)) return false;
  await sale.reopen?.(tx, orderId);
  return true;
}

/** The first locks of a payment: the rights by which the caller may spend from the wallets, and buy. */
const admission =
  (sale: Pick<Sale<AnyOrder>, "admit">, named: NamedWallets) =>
  async (tx: Tx): Promise<void> => {
    await lockPayerTies(tx, named);
    await sale.admit?.(tx, named.caller);
  };

interface NamedRequest {
  request: PaymentRequest;
  named: { wallet: PaymentWallet; own: readonly PaymentWallet[] };
  at: Date;
}

/** The quote of an order that is still what the caller saw, and what of it own wallets pay. */
async function requireQuoteSeen<Order extends AnyOrder, Q extends Quote>(
  tx: Tx,
  sale: Sale<Order, Q>,
  order: Order,
  { request, named, at }: NamedRequest,
): Promise<{ quote: Q; own: OwnShares }> {
  await requireNotAtBank(tx, { kind: sale.kind, id: order.id });
  requireRevision(order, request.revision ?? null);
  const quote = await sale.quote(tx, order, { at, late: false });
  requireSamePrice(request.totalCents, quote.totalCents);
  return { quote, own: ownSharesOf(sale, quote, named) };
}

/** Refuses `price_changed` unless the price is the one that was seen, in cents (spec.md 28). */
export function requireSamePrice(seenCents: number, totalCents: number): void {
  if (seenCents === totalCents) return;
  throw new Problem("price_changed", { total: formatMoney(totalCents), totalCents });
}

interface PaidFunds {
  funds: readonly Fund[];
  /** The lot that the bank card's money passes through. */
  card: CardShare;
}

interface SettlementInput<Q extends Quote> {
  quote: Q;
  sold: SaleContext;
  /** Only this money, of a payment at the provider. */
  from?: PaidFunds;
  /** By person, the wallet that pays what is for them. */
  ownWallets?: ReadonlyMap<number, number>;
  address: string | null;
}

/** Spends the price and delivers the order, in one transaction. */
async function payAndFulfil<Order extends AnyOrder, Q extends Quote>(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  sale: Sale<Order, Q>,
  order: Order,
  { quote, sold, from, ownWallets = new Map(), address }: SettlementInput<Q>,
): Promise<void> {
  const only = from ? { from: from.funds } : {};
  const holdIds = await sale.reserve?.(tx, order, { quote, sold, ownWallets, ...only });
  if (!holdIds) await collect(tx, sale, order.id, { ...quote, ...sold, ...only });
  const receipt = await recordPurchase(tx, {
    kind: sale.kind,
    orderId: order.id,
    quote,
    sold,
    holdIds: holdIds ?? null,
    card: from?.card ?? null,
  });
  await sale.fulfil(tx, deps, order, { quote, sold, receipt });
  await audit(tx, {
    personId: sold.buyerId,
    action: `${sale.kind}.buy`,
    actor: "person",
    address,
    details: { name: quote.label, amountCents: quote.totalCents },
    at: sold.at,
  });
}

/** Spends the price of an order, at most once; nothing where it is free. */
export async function collect(
  tx: Tx,
  sale: { kind: OrderKind; account: SchemeAccount; ownMoney?: boolean },
  orderId: string,
  paid: { walletId: number; totalCents: number; label: string; from?: readonly Fund[]; at: Date },
): Promise<void> {
  const { walletId, totalCents, label, from, at } = paid;
  if (totalCents === 0) return;
  await spend(tx, {
    walletId,
    amountCents: totalCents,
    to: await schemeAccount(tx, sale.account),
    kind: "purchase",
    key: paidUnder(sale.kind, orderId),
    memo: { label },
    at,
    ...(sale.ownMoney && { ownMoney: true }),
    ...(from ? { from } : {}),
  });
}

/** A sale's handlers on the hooks of payments: money for its orders settles them or stays in the wallet. */
export function saleHooks<Order extends AnyOrder, Q extends Quote>(
  sale: Sale<Order, Q>,
): HookStep[] {
  const settleOrder = (tx: Tx, deps: PaymentDeps, payment: PaidPayment) =>
    settlePaid(tx, deps, sale, payment);
  const reopen = async (tx: Tx, _deps: PaymentDeps, payment: OrderPayment) =>
    void (await reopenOrder(tx, sale, payment));
  const ended = sale.reopen ? [attachAs({ onOrderPaymentEnded }, sale.kind, reopen)] : [];
  return [attachAs({ onOrderPaid }, sale.kind, settleOrder), ...ended];
}

/**
 * The provider's money is in the wallet: it pays the order, with the part held beside it, if the order still
 * has the content that was paid. A later reduction of the price stays in the wallet, and so does the whole of
 * a second payment, or of one for an order that can no longer be fulfilled (spec.md 19).
 */
async function settlePaid<Order extends AnyOrder, Q extends Quote>(
  tx: Tx,
  deps: PaymentDeps,
  sale: Sale<Order, Q>,
  { orderId, personId, money, revision, at }: PaidPayment,
): Promise<"settled" | "unapplied"> {
  const order = await sale.lock(tx, orderId, null);
  if (sale.isPaid(order)) return "unapplied";
  requireRevision(order, revision);
  const quote = await sale.quote(tx, order, { at, late: true });
  const paidCents = money.funds.reduce((sum, fund) => sum + fund.amountCents, 0);
  if (revision === null || paidCents < quote.totalCents) {
    requireSamePrice(paidCents, quote.totalCents);
  }
  const sold = { walletId: money.walletId, buyerId: personId, at };
  const accountId = money.funds.at(-1)?.accountId ?? 0;
  const beside = money.funds.slice(0, -1).filter((fund) => fund.accountId === accountId);
  // The card pays last: a later reduction of the price stays where the card's money came in.
  const card = { accountId, heldCents: beside.reduce((sum, fund) => sum + fund.amountCents, 0) };
  const from = { funds: money.funds, card };
  await payAndFulfil(tx, deps, sale, order, { quote, sold, from, address: null });
  return "settled";
}
