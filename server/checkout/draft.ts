// The content of an order before it is paid. Whoever changes it, gives it up or has it paid otherwise comes through
// here, so that a payment that was begun at the provider never pays anything but what its payer saw.
import { type RawBuilder, sql } from "kysely";
import { Problem, type ProblemCode } from "#contract/errors.ts";
import type { Tx } from "#server/db/db.ts";
import { freeAside, type OrderRef, requireNotAtBank } from "#server/payments/payments.ts";
import type { AnyOrder } from "./sale.ts";

/** An order whose room counts the changes of its content in a column `revision`. */
interface CountedOrder extends OrderRef {
  table: "card_order" | "meal_request" | "pass_order" | "subscription";
}

/**
 * Changes the content of an order that the caller has locked: writes `set` in its row, if given, and counts the revision. A payment
 * that was begun for the former content gives way: what it sets aside is free again, and its money stays in the wallet
 * if it still comes. Refuses `order_payment_pending` while the bank examines one.
 */
export async function reviseOrder(
  tx: Tx,
  { table, ...order }: CountedOrder,
  set?: RawBuilder<unknown>,
): Promise<void> {
  await requireNotAtBank(tx, order);
  const own = set ? sql`${set}, ` : sql``;
  await sql`update ${sql.table(table)} set ${own} revision = revision + 1
    where id = ${order.id}`.execute(tx);
}

/** Refuses `problem` unless the content of the order is the one that the caller saw; without a count, any is. */
export function requireRevision(
  { revision }: Pick<AnyOrder, "revision">,
  seen: number | null,
  problem: ProblemCode = "order_changed",
): void {
  if (revision !== undefined && revision !== seen) throw new Problem(problem);
}

/**
 * Before an order is erased, or paid by other means than the checkout: what an unfinished payment sets aside is free
 * again. Refuses `order_payment_pending` while the bank examines one.
 */
export const withdrawOrder = (tx: Tx, order: OrderRef): Promise<void> =>
  requireNotAtBank(tx, order);

/** The order is given up, whatever the bank does: money that still comes stays in the wallet. */
export const abandonOrder = (tx: Tx, order: OrderRef): Promise<void> => freeAside(tx, order);
