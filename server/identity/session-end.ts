// Ends the open sessions of a person, and checks whether one is still open.
import { Problem } from "#contract/errors.ts";
import type { Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import { publishChange } from "#server/notifications/notifications.ts";

/**
 * Ends a person's open sessions, all or all but one, when the transaction commits; returns how many. `why` is
 * one word for the record: `logout`, `password`, `opposition`…
 */
export async function endSessions(
  tx: Tx,
  personId: number,
  { except, why, at }: { except?: string | undefined; why: string; at: Date },
): Promise<number> {
  let query = tx
    .updateTable("session")
    .set({ endedAt: at, endedWhy: why })
    .where("personId", "=", personId)
    .where("endedAt", "is", null);
  if (except !== undefined) query = query.where("id", "<>", except);
  const { numUpdatedRows } = await query.executeTakeFirst();
  await publishChange(tx, personId, "session", "activity");
  return Number(numUpdatedRows);
}

/** The problem code for a session that is over, from the word that `endSessions` recorded. */
export const sessionEndOf = (why: string | null) =>
  why === "opposition" ? "session_opposed" : "session_ended";

/**
 * Refuses `session_ended` where the caller's session ended since the call began. The person is locked first:
 * a denied login or a new password that comes meanwhile waits and finds what this transaction wrote, or came
 * before and has ended the session. To be called before any other lock is taken.
 */
export async function requireOpenSession(
  tx: Tx,
  { personId, sessionId }: Pick<Caller, "personId" | "sessionId">,
): Promise<void> {
  await tx.selectFrom("person").select("id").where("id", "=", personId).forNoKeyUpdate().execute();
  const open = await tx
    .selectFrom("session")
    .select("id")
    .where("id", "=", sessionId)
    .where("endedAt", "is", null)
    .executeTakeFirst();
  if (!open) throw new Problem("session_ended");
}
