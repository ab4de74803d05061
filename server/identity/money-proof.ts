// For some minutes after a proof, money operations of the same session pass without another one, up to a sum.
// An intruder in the session gets at most that; the proof of another session does not count.
import { sql } from "kysely";
import { moneyProof } from "#contract/identity/limits.ts";
import type { Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import { publishChange } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";

/** Opens the allowance, or opens it again, from an instant on, in the transaction of the proved operation. */
export async function openMoneyProof(
  tx: Tx,
  { personId, sessionId }: Pick<Caller, "personId" | "sessionId">,
  at: Date,
): Promise<void> {
  const until = new Date(at.getTime() + moneyProof.minutes * 60_000);
  await sql`update session set money_until = ${until}, money_cents = ${moneyProof.cents}
    where id = ${sessionId}`.execute(tx);
  await publishChange(tx, personId, "money_proof");
}

/** The allowance that is open in a session, from its row; null when none is, or nothing is left of it. */
export const toMoneyProofView = (
  { moneyUntil, moneyCents }: { moneyUntil: Date | null; moneyCents: number },
  now: Date,
): { until: string; leftCents: number } | null =>
  moneyUntil !== null && moneyUntil > now && moneyCents > 0
    ? { until: moneyUntil.toISOString(), leftCents: moneyCents }
    : null;

/**
 * Ends the allowance of one of the caller's open sessions, in the transaction. Returns whether one was open, and
 * the session's user agent; null where the caller has no such session.
 */
export async function closeMoneyProof(
  tx: Tx,
  { personId }: Pick<Caller, "personId">,
  { session, at }: { session: string; at: Date },
): Promise<{ wasOpen: boolean; agent: string | null } | null> {
  const row = await tx
    .selectFrom("session")
    .select(["agent", "moneyUntil", "moneyCents"])
    .where("id", "=", session)
    .where("personId", "=", personId)
    .where("endedAt", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return null;
  const wasOpen = toMoneyProofView(row, at) !== null;
  if (wasOpen) {
    await sql`update session set money_until = null, money_cents = 0 where id = ${session}`.execute(
      tx,
    );
    await publishChange(tx, personId, "money_proof", "activity");
  }
  return { wasOpen, agent: row.agent };
}

/**
 * Deducts cents from the open allowance, at once, so that two operations never share them; returns whether it
 * covered them. An operation that is refused afterwards does not give them back: the next proof does.
 */
export async function takeMoneyProof(
  { db, now }: Pick<Deps, "db" | "now">,
  { sessionId }: Pick<Caller, "sessionId">,
  cents: number,
): Promise<boolean> {
  const { rows } = await sql`update session set money_cents = money_cents - ${cents}
    where id = ${sessionId} and money_until > ${now()} and money_cents >= ${cents} returning id`.execute(
    db,
  );
  return rows.length > 0;
}
