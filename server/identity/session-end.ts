// How the open sessions of a person end.
import type { Tx } from "#server/db/db.ts";
import { tellChanged } from "#server/notifications/notifications.ts";

/**
 * Ends a person's open sessions, all or all but one, from the moment the transaction commits; gives
 * how many. `why` is one word for the record: `logout`, `password`, `opposition`…
 */
export async function endSessions(
  tx: Tx,
  personId: number,
  { except, why, at }: { except?: string | undefined; why: string; at: Date },
): Promise<number> {
  let query = tx
    .updateTable("session")
    .set({ ended_at: at, ended_why: why })
    .where("person_id", "=", personId)
    .where("ended_at", "is", null);
  if (except !== undefined) query = query.where("id", "<>", except);
  const { numUpdatedRows } = await query.executeTakeFirst();
  await tellChanged(tx, personId, "session");
  return Number(numUpdatedRows);
}
