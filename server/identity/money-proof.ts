// What a proof opens: for some minutes the money acts of the session in which it was given pass without another, up to
// a sum. Whoever takes over a session finds at most that; the proof of another session opens nothing here.
import { sql } from "kysely";
import { moneyProof } from "#contract/identity/limits.ts";
import type { Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Deps } from "#server/process/deps.ts";

/** Opens it, or opens it again, from an instant on, in the transaction of the act that was proved. */
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
 * Takes cents off what is open, at once, so that two acts never share them; answers whether there were as many. An act
 * that is refused afterwards does not give them back: the next proof does.
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
