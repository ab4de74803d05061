// Conversions between the ledger's types and the arrays and rows of its SQL functions.
import { isProblemCode, Problem } from "#contract/errors.ts";
import { DatabaseError } from "pg";
import type { Posted, Transfer } from "./transfer.ts";

export interface PostedRow {
  id: number;
  at: Date;
  debitBalance: number;
  creditBalance: number;
  replayed: boolean;
  refused?: string | null;
}

/** The arguments of the SQL function `ledger_post`, and the transfers in the order it answers. */
export function transferArrays<T extends Transfer & { reverses?: number }>(
  groups: readonly (readonly T[])[],
) {
  const order = groups.flat();
  for (const { amountCents } of order) {
    if (!Number.isSafeInteger(amountCents) || amountCents <= 0) {
      throw new RangeError(`an amount is a positive integer, not ${amountCents}`);
    }
  }
  for (const group of groups) {
    if (new Set(group.map((transfer) => transfer.key)).size !== 1) {
      throw new RangeError("a linked group has one key and at least one transfer");
    }
  }
  const arrays = {
    items: groups.flatMap((group, index) => group.map(() => index + 1)),
    keys: order.map((transfer) => transfer.key),
    debits: order.map((transfer) => transfer.debitAccount),
    credits: order.map((transfer) => transfer.creditAccount),
    amounts: order.map((transfer) => transfer.amountCents),
    kinds: order.map((transfer) => transfer.kind),
    memos: order.map((transfer) => (transfer.memo ? JSON.stringify(transfer.memo) : null)),
    reversed: order.map((transfer) => transfer.reverses ?? null),
    ats: order.map((transfer) => transfer.at?.toISOString() ?? null),
  };
  return { arrays, order };
}

export function toPosted(row: PostedRow, key: string): Posted {
  return {
    id: row.id,
    key,
    at: row.at,
    debitBalanceCents: row.debitBalance,
    creditBalanceCents: row.creditBalance,
    replayed: row.replayed,
  };
}

/** Runs a call of the ledger; the violation of a constraint named after a problem becomes that problem. */
export async function asProblem<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const refusal = error instanceof DatabaseError ? error.constraint : undefined;
    if (refusal && isProblemCode(refusal)) throw new Problem(refusal);
    throw error;
  }
}
