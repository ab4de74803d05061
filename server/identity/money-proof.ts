// For some minutes after a proof, money operations of the same session pass without another one, up to a sum.
// An intruder in the session gets at most that; the proof of another session does not count.
import { sql } from "kysely";
import { moneyProof } from "#contract/identity/limits.ts";
import type { Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Deps } from "#server/process/deps.ts";

/** Opens the allowance, or opens it again, from an instant on, in the transaction of the proved operation. */
export async function openMoneyProof(
  tx: Tx,
  { sessionId }: Pick<Caller, "sessionId">,
  at: Date,
): Promise<void> {
  const until = new Date(at.getTime() + moneyProof.minutes * 60_000);
  await sql`update session set money_until = ${until}, money_cents = ${moneyProof.cents}
    where id = ${sessionId}`.execute(tx);
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
