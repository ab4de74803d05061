// What becomes of the automatic top-ups of a person who leaves.
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";

/** Whoever leaves and gets no other card is no longer charged for one: the rules of their wallets end. */
export async function endRulesOfLeaver(
  tx: Tx,
  _deps: unknown,
  { personId }: { personId: number },
): Promise<void> {
  await sql`update top_up_rule r set state = 'deleted', paused_why = null from wallet w
    where w.id = r.wallet_id and w.person_id = ${personId} and r.state <> 'deleted'`.execute(tx);
}
