// When a person leaves, the automatic top-ups of their wallets end.
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";

/**
 * Ends the rules of the wallets of a person who leaves and gets no other card: nobody is charged for them any
 * more.
 */
export async function endRulesOfLeaver(
  tx: Tx,
  _deps: unknown,
  { personId }: { personId: number },
): Promise<void> {
  await sql`update top_up_rule r set state = 'deleted', paused_why = null from wallet w
    where w.id = r.wallet_id and w.person_id = ${personId} and r.state <> 'deleted'`.execute(tx);
}
