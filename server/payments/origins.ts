// Top-ups that a later room started: what becomes of them is told to that room, and by it.
import { sql } from "kysely";
import type { TopUpState } from "#contract/payments.ts";
import { sqlState, type Tx } from "#server/db/db.ts";
import type { NewsDeps } from "./orders.ts";
import type { CreditedTopUp } from "./postings.ts";

/** What became of a top-up, as the room that started it hears of it. */
export interface RestNews {
  topUpId: string;
  originId: string;
  walletId: number;
  personId: number;
  amountCents: number;
  state: "credited" | "declined";
  /** False for one that was paid on the provider's page. */
  automatic: boolean;
  at: Date;
}

/**
 * Back road, filled in rooms.ts: a top-up of this origin was credited or declined. It runs in that very
 * transaction, under a savepoint: what fails there fails alone. True when the room told people itself.
 */
export const onTopUpRest: Partial<
  Record<"rule" | "link", (tx: Tx, deps: NewsDeps, news: RestNews) => Promise<boolean>>
> = {};

/** Whether the room of a top-up's origin has told of this state. */
export async function restTold(
  tx: Tx,
  deps: NewsDeps,
  topUp: CreditedTopUp,
  { state, at }: { state: TopUpState; at: Date },
): Promise<boolean> {
  const hear = topUp.origin && onTopUpRest[topUp.origin];
  if (!hear || topUp.originId === null) return false;
  if (state !== "credited" && state !== "declined") return false;
  const { id: topUpId, originId, walletId, payerId: personId, amountCents, automatic } = topUp;
  await sql`savepoint top_up_rest`.execute(tx);
  try {
    const news = { topUpId, originId, walletId, personId, amountCents, state, automatic, at };
    const told = await hear(tx, deps, news);
    await sql`release savepoint top_up_rest`.execute(tx);
    return told;
  } catch (error) {
    await sql`rollback to savepoint top_up_rest`.execute(tx);
    if (["40001", "40P01", "55P03"].includes(sqlState(error))) throw error;
    deps.log.error({ err: error, topUp: topUpId }, "what a top-up came from could not be told");
    return false;
  }
}
