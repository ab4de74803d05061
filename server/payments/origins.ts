// Top-ups started by a later room: that room is called when they are credited or declined, and announces it.
import type { TopUpState } from "#contract/payments/rows.ts";
import { inSavepoint, sqlState, type Tx } from "#server/db/db.ts";
import type { PaymentDeps } from "./orders.ts";
import type { CreditedTopUp } from "./postings.ts";

/** The outcome of a top-up, for the room that started it. */
export interface SettledTopUp {
  topUpId: string;
  originId: string;
  walletId: number;
  personId: number;
  amountCents: number;
  /** The part beyond the wallet's cap, which is refunded to the payer. */
  returnCents: number;
  state: "credited" | "declined";
  /** False for one that was paid on the provider's page. */
  automatic: boolean;
  at: Date;
}

/**
 * Hook that a later room fills: a top-up of this origin was credited or declined. It runs in that
 * transaction, under a savepoint, so that its failure undoes nothing else. True when the room announced it
 * itself.
 */
export const onTopUpSettled: Partial<
  Record<"rule" | "link", (tx: Tx, deps: PaymentDeps, news: SettledTopUp) => Promise<boolean>>
> = {};

/** Whether the room that started a top-up announced this state itself. */
export async function announcedByOrigin(
  tx: Tx,
  deps: PaymentDeps,
  topUp: CreditedTopUp,
  { state, at }: { state: TopUpState; at: Date },
): Promise<boolean> {
  const onSettled = topUp.origin && onTopUpSettled[topUp.origin];
  if (!onSettled || topUp.originId === null) return false;
  if (state !== "credited" && state !== "declined") return false;
  const { id: topUpId, originId, walletId, payerId: personId, amountCents } = topUp;
  const { returnCents, automatic } = topUp;
  try {
    const about = { topUpId, originId, walletId, personId, amountCents, returnCents };
    return await inSavepoint(tx, () => onSettled(tx, deps, { ...about, state, automatic, at }));
  } catch (error) {
    if (["40001", "40P01", "55P03"].includes(sqlState(error))) throw error;
    deps.log.error({ err: error, topUp: topUpId }, "what a top-up came from could not be told");
    return false;
  }
}
