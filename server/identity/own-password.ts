// Proves the current password inside a session. Failed tries climb a ladder of their own, apart from the
// login.
import { Problem } from "#contract/errors.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Db } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { attempt, forget, perPassword } from "./limiter.ts";
import { isPassword } from "./passwords.ts";

/**
 * Returns the hash that the password matches. Refuses `wrong_password`, and `login_locked` {seconds, wait}
 * while the session's ladder is closed.
 */
export async function requirePassword(
  deps: Deps,
  { personId, sessionId }: Pick<Caller, "personId" | "sessionId">,
  typed: string,
): Promise<string> {
  const bucket = perPassword(sessionId);
  const { closed } = await attempt(deps.db, [bucket], deps.now());
  if (closed) throw new Problem("login_locked", { seconds: closed.seconds, wait: closed.wait });
  const passwordHash = await readPasswordHash(deps.db, personId);
  if (passwordHash === null || !(await isPassword(passwordHash, typed, personId)))
    throw new Problem("wrong_password");
  await forget(deps.db, bucket);
  return passwordHash;
}

/** The stored hash; null for nobody, still queried so that it takes the same time. */
export async function readPasswordHash(db: Db, personId: number | null): Promise<string | null> {
  const row = await db
    .selectFrom("person")
    .select("passwordHash")
    .where("id", "=", personId ?? 0)
    .executeTakeFirst();
  return row?.passwordHash ?? null;
}
