// The interface of a room that sells.
import type { OrderKind } from "#contract/payments/rows.ts";
import type { Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Fund, SchemeAccount } from "#server/wallet/wallet.ts";

/** Price of an order at an instant, and its label. */
export interface Quote {
  totalCents: number;
  /** Shown on movements, on the payment page, and in the message that brings a code. */
  label: string;
  /** The acceptance group whose wallets may pay beside the main one; null for none. */
  groupId: number | null;
}

/** How an order was paid. */
export interface SaleContext {
  walletId: number;
  buyerId: number;
  at: Date;
}

/** The money of a price that is held. */
export interface ReservedMoney<Q extends Quote> {
  quote: Q;
  sold: SaleContext;
  /** Only this money, of a payment at the provider. */
  from?: readonly Fund[];
  /** By person, the wallet that pays what is for them; that of `sold` pays the rest. */
  ownWallets: ReadonlyMap<number, number>;
}

/** `revision` counts the changes of an order's content, where the total does not say enough. */
export interface AnyOrder {
  id: string;
  revision?: number;
}

/** Implemented by a room to sell something. Each function runs in the transaction that pays. */
export interface Sale<Order extends AnyOrder, Q extends Quote = Quote> {
  kind: OrderKind;
  /** Account that receives the money. */
  account: SchemeAccount;
  /** Held, and refundable in full until its deadline: it requires no code, and counts towards none. */
  isUncounted?: true;
  /**
   * The company's commitments in 24 h, in cents, where a company buys; without it, only the buyer's wallets
   * count.
   */
  companyCents?(tx: Tx, order: Order, at: Date): Promise<number>;
  /** Wallets pay it with purchased money alone: aid is not passed on. */
  ownMoney?: boolean;
  /**
   * One of the first locks of a payment: the rights by which the caller may buy, kept until it is made.
   * Absent where the order decides it.
   */
  admit?(tx: Tx, caller: Caller): Promise<unknown>;
  /** The order, locked; `not_found` for one that `caller` does not reach. Null: no caller to check. */
  lock(tx: Tx, id: string, caller: Caller | null): Promise<Order>;
  isPaid(order: Order): boolean;
  /**
   * The price as of now; throws the problem that keeps the order from being bought. `late`: its money is
   * there already, so that checks of the choice alone (a day that has passed since) are skipped.
   */
  quote(tx: Tx, order: Order, moment: { at: Date; late: boolean }): Promise<Q>;
  /**
   * What of the price is for one person, in cents; null where nothing is bought for them. Absent: no own
   * wallets can be named. A sale that has it reserves.
   */
  priceFor?(quote: Q, personId: number): number | null;
  /** A payment at the provider begins: the room reserves what is sold until its outcome. */
  hold?(tx: Tx, order: Order, quote: Q, sold: SaleContext): Promise<void>;
  /**
   * Holds the price in wallets instead of spending it, for what is spent once it is delivered; returns the
   * ids of the ledger's holds.
   */
  reserve?(tx: Tx, order: Order, money: ReservedMoney<Q>): Promise<number[]>;
  /** Path of the portal to which the provider sends the browser back. */
  returnPath(order: Order): string;
  /** The money is there: the room delivers the order and announces it; only the payer gets `receipt`. */
  fulfil(
    tx: Tx,
    deps: Pick<Deps, "send" | "config">,
    order: Order,
    bought: { quote: Q; sold: SaleContext; receipt: readonly string[] },
  ): Promise<void>;
  /** The payment at the provider settled nothing and none is under way: releases what `hold` reserved. */
  reopen?(tx: Tx, orderId: string): Promise<void>;
}
