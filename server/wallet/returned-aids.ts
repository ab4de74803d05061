// Aids returned to their giver, instead of to the scheme's expired aids.
import type { Tx } from "#server/db/db.ts";

/** Money of a lot that was returned to the account of its giver, in cents. */
export interface ReturnedAid {
  /** The lot. */
  accountId: number;
  amountCents: number;
  /** Its last day is past, the holder's account closed, or a purchase was refunded after its last day. */
  why: "expired" | "closed" | "refunded";
  at: Date;
}

/** Hook, filled in rooms.ts: the room that gave the aid records the return. */
export const onAidReturned: ((tx: Tx, back: ReturnedAid) => Promise<void>)[] = [];

/** Calls the hook, in the transaction that moved the money. */
export async function aidReturned(tx: Tx, back: ReturnedAid): Promise<void> {
  for (const step of onAidReturned) await step(tx, back);
}
