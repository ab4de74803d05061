// Login and logout, the current session, its silent renewal.
import { Problem } from "#contract/errors.ts";
import type { identity } from "#contract/identity/rows.ts";
import type { Output } from "#contract/endpoint.ts";
import { session as limits, signIn } from "#contract/limits.ts";
import { inTx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Call } from "#server/http/serve.ts";
import { publishChange } from "#server/notifications/notifications.ts";
import { knownBrowser } from "./devices.ts";
import { auditAct } from "./audit.ts";
import { personByCard, userOf } from "./identity.ts";
import {
  attempt,
  everyone,
  forget,
  giveBack,
  perAddress,
  perBrowser,
  perCard,
  tooMany,
  type Bucket,
} from "./limiter.ts";
import { readPasswordHash } from "./own-password.ts";
import { countRightLogin, startSession, ownCookie } from "./session-start.ts";
import { isPassword, shareOfBucket, withPlaceInQueue } from "./passwords.ts";
import { issueToken } from "./token.ts";

/**
 * Opens a session with a card number and a password (spec §3). An unknown card, a wrong password and a closed
 * account get the same answer after the same work; a person disabled by the operator is told so, with the
 * right password only (startSession). Counts the attempt before hashing; a refusal for waiting neither counts
 * nor hashes.
 */
export async function logIn(
  call: Call<typeof identity.login>,
): Promise<Output<typeof identity.login>> {
  const { deps, input, origin } = call;
  // Waits caused by strangers do not apply to a browser that the person logged in from before.
  const browser = await knownBrowser(
    deps,
    input.login,
    call.request.cookies?.[signIn.deviceCookie],
  );
  const card = browser === null ? perCard(input.login) : perBrowser(browser);
  return await withPlaceInQueue(shareOfBucket(card), async () => {
    const shared = browser === null ? [...perAddress(origin.address), everyone] : [];
    const failures = await countAttempt(deps, card, shared);
    try {
      const session = await enter(call, { failures, browser });
      await forget(deps.db, card);
      await giveBack(deps.db, shared);
      return session;
    } catch (error) {
      // Only a wrong password is the person's failure: errors of ours must not lock anyone out.
      const isOurs = !(error instanceof Problem) || error.code === "unavailable";
      if (isOurs) await giveBack(deps.db, [card, ...shared]).catch(() => {});
      throw error;
    }
  });
}

async function enter(
  call: Call<typeof identity.login>,
  { failures, browser }: { failures: number; browser: string | null },
): Promise<Output<typeof identity.login>> {
  const { deps, input, origin } = call;
  const holder = await personByCard(deps.db, input.login);
  const passwordHash = await readPasswordHash(deps.db, holder?.personId ?? null);
  const right = await isPassword(passwordHash, input.password, input.login);
  if (!holder || passwordHash === null || !right || holder.closed) {
    deps.log.info({ cardnumber: input.login, address: origin.address }, "login refused");
    throw new Problem("wrong_credentials");
  }
  const { personId, objectId, type, cardnumber } = holder;
  await countRightLogin(deps, personId, browser);
  return await startSession(call, {
    personId,
    objectId,
    type,
    cardnumber,
    how: "password",
    passwordHash,
    failures,
  });
}

async function countAttempt(deps: Deps, card: Bucket, shared: Bucket[]): Promise<number> {
  const counted = await attempt(deps.db, [card, ...shared], deps.now());
  if (!counted.closed) return counted.before;
  const { key, seconds, wait } = counted.closed;
  if (key === card.key) throw new Problem("login_locked", { seconds, wait });
  throw tooMany(counted.closed);
}

/** Ends this session at once, on every process. */
export async function logOut({
  deps,
  caller,
  origin,
  reply,
}: Call<typeof identity.logout>): Promise<Output<typeof identity.logout>> {
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    await tx
      .updateTable("session")
      .set({ endedAt: at, endedWhy: "logout" })
      .where("id", "=", caller.sessionId)
      .where("endedAt", "is", null)
      .execute();
    await publishChange(tx, caller.personId, "session", "activity");
    await auditAct(tx, { caller, origin }, "session.close", { at });
  });
  reply.clearCookie(limits.bindingCookie, ownCookie);
  return { message: "Vous êtes déconnecté." };
}

/** The current user, and when the session ends for good. */
export async function currentSession({
  deps,
  caller,
}: Call<typeof identity.session>): Promise<Output<typeof identity.session>> {
  const { endsAt } = await deps.db
    .selectFrom("session")
    .select("endsAt")
    .where("id", "=", caller.sessionId)
    .executeTakeFirstOrThrow();
  return {
    data: await userOf(deps.db, caller.personId, deps.now()),
    endsAt: endsAt.toISOString(),
  };
}

/** A new token for the same session, never beyond twelve hours after the login (spec.md 7). */
export async function renew({
  deps,
  caller,
}: Call<typeof identity.renew>): Promise<Output<typeof identity.renew>> {
  const now = deps.now();
  const row = await deps.db
    .updateTable("session")
    .set({ renewedAt: now })
    .where("id", "=", caller.sessionId)
    .where("endedAt", "is", null)
    .returning("endsAt")
    .executeTakeFirst();
  if (!row) throw new Problem("session_ended");
  const token = await issueToken(deps.db, {
    sessionId: caller.sessionId,
    objectId: caller.objectId,
    type: caller.type,
    endsAt: row.endsAt,
    now,
  });
  const expires = now.getTime() + token.expires_in * 1000;
  return {
    token,
    endsAt: row.endsAt.toISOString(),
    renewable: row.endsAt.getTime() - expires >= 1000,
  };
}
