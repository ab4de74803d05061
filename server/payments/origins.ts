// Top-ups that a later room started: that room hears how they end, and announces it.
import { sql } from "kysely";
import type { TopUpState } from "#contract/payments/rows.ts";
import { sqlState, type Tx } from "#server/db/db.ts";
import type { PaymentDeps } from "./orders.ts";
import type { CreditedTopUp } from "./postings.ts";

/** What became of a top-up, as the room that started it is told. */
export interface SettledTopUp {
  topUpId: string;
  originId: string;
  walletId: number;
  personId: number;
  amountCents: number;
  /** What of it was beyond the wallet's cap and goes back to the payer. */
  returnCents: number;
  state: "credited" | "declined";
  /** False for one that was paid on the provider's page. */
  automatic: boolean;
  at: Date;
}

/**
 * Hook that a later room fills: a top-up of this origin was credited or declined. It runs in that very
 * transaction, under a savepoint: what fails there fails alone. True when the room announced it itself.
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
  await sql`savepoint top_up_settled`.execute(tx);
  try {
    const about = { topUpId, originId, walletId, personId, amountCents, returnCents };
    const news = { ...about, state, automatic, at };
    const told = await onSettled(tx, deps, news);
    await sql`release savepoint top_up_settled`.execute(tx);
    return told;
  } catch (error) {
    await sql`rollback to savepoint top_up_settled`.execute(tx);
    if (["40001", "40P01", "55P03"].includes(sqlState(error))) throw error;
    deps.log.error({ err: error, topUp: topUpId }, "what a top-up came from could not be told");
    return false;
  }
}
