// The provider payment of an order, read from `top_up` by the order and its paid revision: whether one is
// under way, whether the last one failed, and the holds. Rooms that sell store none of it.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { OrderKind, TopUpState } from "#contract/payments/rows.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { voidOrderHolds } from "./order-holds.ts";

/** An order of a room, as its payments reference it. */
export interface OrderRef {
  kind: OrderKind;
  id: string;
}

/** Shown under the price, where it can be paid again. */
const failedWords = "Il a été refusé ou abandonné, et rien n’a été débité.";

/**
 * SQL: a lateral `payment` with the last payment of the order in row `of`, null in every column without one:
 * its `top_up_id`, `state` and `payer_id`; `open_id`, its id again while it can be paid or the bank processes
 * it; `failed`, a sentence once it failed. It counts payments of the row's `revision`, or those begun since
 * the instant in the column `written`.
 */
export function orderPaymentSql(
  kind: OrderKind,
  of: string,
  written: "revision" | "created_at" | "opened_at" = "revision",
): RawBuilder<unknown> {
  const since = sql.ref(`${of}.${written}`);
  const content =
    written === "revision" ? sql`u.order_revision = ${since}` : sql`u.created_at >= ${since}`;
  return sql`left join lateral (
    select u.id as top_up_id, u.state, u.person_id as payer_id,
      case when u.state = 'authorized' or u.state = 'initiated' and u.payment_url is not null
        then u.id end as open_id,
      case when u.state = 'declined' then ${failedWords}::text end as failed
    from top_up u
    where u.order_id = ${sql.ref(`${of}.id`)} and u.order_kind = ${kind} and ${content}
    order by u.state in ('initiated', 'authorized') desc, u.created_at desc limit 1) payment on true`;
}

/** SQL condition: a payment of the order in row `of` may still bring money, or waits for a decision. */
export const orderAwaitsMoneySql = (kind: OrderKind, of: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from top_up u where u.order_id = ${sql.ref(`${of}.id`)}
    and u.order_kind = ${kind} and u.state in ('initiated', 'authorized', 'review'))`;

interface OpenPayment {
  id: string;
  state: TopUpState;
  /** Holds of the ledger that keep the wallets' part of the order aside. */
  holdIds: number[];
}

/** `order_payment_pending` is the index that keeps it the only one. */
const openPaymentOf = (db: Db, { kind, id }: OrderRef): Promise<OpenPayment | null> =>
  query(db).maybeOne(sql<OpenPayment>`
    select id, state, to_json(hold_ids) as hold_ids from top_up
    where order_kind = ${kind} and order_id = ${id} and state in ('initiated', 'authorized')`);

/** Whether the bank processes a payment of the order and has not answered. */
export const isAtBank = async (db: Db, order: OrderRef): Promise<boolean> =>
  (await openPaymentOf(db, order))?.state === "authorized";

/** Whether another payment of the order than this one is under way. */
export const hasOtherPayment = async (tx: Tx, order: OrderRef, topUpId: string): Promise<boolean> =>
  ((await openPaymentOf(tx, order))?.id ?? topUpId) !== topUpId;

/**
 * Refuses `order_payment_pending` while the bank has a payment of this order and has not answered. The holds
 * of a payment that nobody finished are released.
 */
export async function requireNotAtBank(tx: Tx, order: OrderRef): Promise<void> {
  const open = await openPaymentOf(tx, order);
  if (open?.state === "authorized") throw new Problem("order_payment_pending");
  if (open) await voidOrderHolds(tx, open.holdIds);
}

/**
 * Releases the wallet holds of an order's unfinished payment: the order is dropped, or cannot be paid there.
 * Such a payment that succeeds after all takes the same money if it is still there.
 */
export async function releaseHolds(tx: Tx, order: OrderRef): Promise<void> {
  const open = await openPaymentOf(tx, order);
  if (open) await voidOrderHolds(tx, open.holdIds);
}
