// Proves the current password inside a session. Tries climb a ladder of their own, apart from the login.
import { Problem } from "#contract/errors.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Deps } from "#server/process/deps.ts";
import { attempt, forget, perPassword } from "./limiter.ts";
import { isPassword } from "./passwords.ts";

/** Refuses `wrong_password`, and `login_locked` {seconds, wait} while the session's ladder is closed. */
export async function requirePassword(
  deps: Deps,
  { personId, sessionId }: Pick<Caller, "personId" | "sessionId">,
  typed: string,
): Promise<void> {
  const bucket = perPassword(sessionId);
  const { closed } = await attempt(deps.db, [bucket], deps.now());
  if (closed) throw new Problem("login_locked", { seconds: closed.seconds, wait: closed.wait });
  if (!(await isPasswordOf(deps, personId, typed))) throw new Problem("wrong_password");
  await forget(deps.db, bucket);
}

/** Whether it is the person's password, without counting a try. */
export async function isPasswordOf(deps: Deps, personId: number, typed: string): Promise<boolean> {
  const row = await deps.db
    .selectFrom("person")
    .select("password_hash")
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  return await isPassword(row.password_hash, typed);
}
