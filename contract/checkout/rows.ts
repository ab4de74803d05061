// Fields of the payment of an order, shared by every row that pays.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { payments } from "../limits.ts";
import { orderPaymentProblems } from "../payments/rows.ts";

/** `both`: a wallet without enough money pays what it has, the provider's payment the rest. */
export const paymentMethods = ["wallet", "provider", "both"] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** The input of a row that pays: how, and the price that was seen (spec.md 28). */
export const paying = {
  method: z.enum(paymentMethods),
  /** The wallet that pays, or that the provider's money passes through. */
  objectID: c.uuid,
  /** The provider's part beside a wallet, as the caller has seen it (`splitWithCard`); only with `both`. */
  cardCents: z.optional(c.amountCents),
  totalCents: z.int().check(z.minimum(0), z.maximum(1_000_000_000)),
  ...c.stepUp,
};

/** The same where wallets of those who get something may pay it: each what its person gets. */
export const payingEach = {
  ...paying,
  /** At most one a person; `objectID` pays the rest, or is what the card's money passes through. */
  ownWallets: z.optional(z.array(c.uuid).check(z.maxLength(10))),
};

/** Revision that the caller has read of an order that counts its changes; another one is refused. */
export const orderRevision = z.int().check(z.minimum(1), z.maximum(2_147_483_647));

/** The payment at the provider, to follow by `GET /api/top-ups/:id`; null once a wallet has paid. */
export const payment = z.nullable(z.object({ topUp: c.uuid, paymentUrl: z.nullable(z.string()) }));
export type Payment = z.output<typeof payment>;

/** Reasons for which a wallet may refuse to pay. */
export const spendProblems = [
  "wallet_not_accepted",
  "insufficient_funds",
  "wallet_frozen",
  "card_suspended",
  "card_opposed",
  "card_state",
  "limit_day",
  "limit_week",
  "limit_place",
  ...c.stepUpProblems,
] as const;

/** Problems of every row that pays an order, besides those of its room. */
export const checkoutProblems = [
  "order_changed",
  "price_changed",
  "split_changed",
  ...spendProblems,
  ...orderPaymentProblems,
] as const;

/** The main wallet (group 1) pays everywhere, any other inside its acceptance group (spec.md 30). */
export const isAccepted = (idgroup: number, saleGroup: number | null): boolean =>
  idgroup === 1 || idgroup === saleGroup;

/**
 * How a wallet pays an amount, in cents: what it can, then the main wallet of the same person what is
 * missing (spec.md 17). `missingCents` is what neither has.
 */
export function splitOf(
  totalCents: number,
  wallet: { main: boolean; projectedCents: number },
  main: { projectedCents: number; frozen: boolean } | null,
): { walletCents: number; mainCents: number; missingCents: number } {
  const walletCents = Math.min(totalCents, Math.max(0, wallet.projectedCents));
  const rest = totalCents - walletCents;
  const left = wallet.main || !main || main.frozen ? 0 : Math.max(0, main.projectedCents);
  const mainCents = Math.min(rest, left);
  return { walletCents, mainCents, missingCents: rest - mainCents };
}

/**
 * How a wallet that is short pays an amount together with a bank card, in cents: the card gives what is
 * missing, at least what the provider takes. Null where nothing is missing, or no wallet gives a cent.
 */
export function splitWithCard(
  totalCents: number,
  wallet: { main: boolean; projectedCents: number },
  main: { projectedCents: number; frozen: boolean } | null,
): { walletCents: number; mainCents: number; cardCents: number } | null {
  const { missingCents } = splitOf(totalCents, wallet, main);
  if (missingCents === 0) return null;
  const cardCents = Math.max(missingCents, payments.orderMinCents);
  if (cardCents >= totalCents) return null;
  const { walletCents, mainCents } = splitOf(totalCents - cardCents, wallet, main);
  return { walletCents, mainCents, cardCents };
}
