// What a room implements to be paid for what it sells.
import type { OrderKind } from "#contract/payments/rows.ts";
import type { Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Fund, SchemeAccount } from "#server/wallet/wallet.ts";

/** What an order costs at an instant, and what it is called. */
export interface Quote {
  totalCents: number;
  /** Of movements, of the payment page, of the message that brings a code. */
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

/** `revision` counts the changes of an order's content, where the total does not say enough. */
export interface AnyOrder {
  id: string;
  revision?: number;
}

/** What a room implements to sell something. Each function runs in the transaction that pays. */
export interface Sale<Order extends AnyOrder, Q extends Quote = Quote> {
  kind: OrderKind;
  /** Where the money goes. */
  account: SchemeAccount;
  /** Held, and given back for nothing until its deadline: it asks for no code, and counts towards none. */
  isUncounted?: true;
  /** What the company that buys committed in 24 h, in cents; without, the buyer's wallets alone count. */
  companyCents?(tx: Tx, order: Order, at: Date): Promise<number>;
  /** Wallets pay it with purchased money alone: an aid is not given on. */
  ownMoney?: boolean;
  /** Of the first locks of a payment: keeps what lets the caller buy until it is made. Nothing where the order says it. */
  admit?(tx: Tx, caller: Caller): Promise<unknown>;
  /** The order, locked; `not_found` for one that `caller` does not reach. Null: whoever asks. */
  lock(tx: Tx, id: string, caller: Caller | null): Promise<Order>;
  isPaid(order: Order): boolean;
  /**
   * The price as of now; throws what keeps the order from being bought. `late`: its money is there
   * already, so that what only concerns the choice (a day that has passed since) is not looked at.
   */
  quote(tx: Tx, order: Order, moment: { at: Date; late: boolean }): Promise<Q>;
  /** A payment at the provider begins: what the room keeps as it is until its outcome. */
  hold?(tx: Tx, order: Order, quote: Q, sold: SaleContext): Promise<void>;
  /**
   * Sets the price aside in the wallet instead of spending it, for what is spent once it is delivered;
   * answers the ids of the ledger's holds.
   */
  reserve?(
    tx: Tx,
    order: Order,
    money: { quote: Q; sold: SaleContext; from?: readonly Fund[] },
  ): Promise<number[]>;
  /** Path of the portal to which the provider sends the browser back. */
  returnPath(order: Order): string;
  /**
   * The money is there: the room delivers what was bought and announces it; `receipt` is for whoever paid
   * alone.
   */
  fulfil(
    tx: Tx,
    deps: Pick<Deps, "send" | "config">,
    order: Order,
    bought: { quote: Q; sold: SaleContext; receipt: readonly string[] },
  ): Promise<void>;
  /** The payment at the provider settled nothing and none is under way: what `hold` kept is free again. */
  reopen?(tx: Tx, orderId: string): Promise<void>;
}
