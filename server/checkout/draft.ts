// The content of an order before it is paid. Whoever changes it, abandons it or has it paid otherwise comes
// through here, so that a payment started at the provider never pays anything but what its payer saw.
import { type RawBuilder, sql } from "kysely";
import { Problem, type ProblemCode } from "#contract/errors.ts";
import type { Tx } from "#server/db/db.ts";
import { releaseHolds, type OrderRef, requireNotAtBank } from "#server/payments/payments.ts";
import type { AnyOrder } from "./sale.ts";

/** An order whose room counts the changes of its content in a column `revision`. */
interface CountedOrder extends OrderRef {
  table: "card_order" | "meal_request" | "pass_order" | "subscription";
}

/**
 * Changes the content of an order that the caller has locked: writes `set` in its row, if given, and counts
 * the revision. A payment started for the former content is superseded: its holds are released, and its money
 * stays in the wallet if it still comes. Refuses `order_payment_pending` while the bank examines one.
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

/**
 * Refuses `problem` unless the content of the order is the revision that the caller saw; without a revision,
 * any is accepted.
 */
export function requireRevision(
  { revision }: Pick<AnyOrder, "revision">,
  seen: number | null,
  problem: ProblemCode = "order_changed",
): void {
  if (revision !== undefined && revision !== seen) throw new Problem(problem);
}

/**
 * Before an order is erased, or paid by other means than the checkout: releases the holds of an unfinished
 * payment. Refuses `order_payment_pending` while the bank examines one.
 */
export const withdrawOrder = (tx: Tx, order: OrderRef): Promise<void> =>
  requireNotAtBank(tx, order);

/** The order is abandoned, whatever the bank does: money that still comes stays in the wallet. */
export const abandonOrder = (tx: Tx, order: OrderRef): Promise<void> => releaseHolds(tx, order);
