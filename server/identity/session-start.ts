// Starts a session, however the person proved their identity: the only place where a session row, its cookies
// and its token are made.
import { randomBytes, randomUUID } from "node:crypto";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import type { identity } from "#contract/identity/rows.ts";
import { session as limits, signIn } from "#contract/limits.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Call } from "#server/http/serve.ts";
import type { Deps } from "#server/process/deps.ts";
import { publishChange } from "#server/notifications/notifications.ts";
import { recognise } from "./devices.ts";
import { audit } from "./audit.ts";
import { bindingOf, userOf } from "./identity.ts";
import { attempt, rightLogins, tooMany } from "./limiter.ts";
import { issueToken } from "./token.ts";

/** Options of our cookies: not readable by scripts, never sent from another site. */
export const ownCookie = { path: "/", httpOnly: true, secure: true, sameSite: "strict" } as const;

export interface ProvenLogin {
  personId: number;
  objectId: string;
  type: 1 | 2;
  cardnumber: number;
  how: "password" | "passkey";
  /** The hash that the password matched. */
  passwordHash?: string;
  /** Wrong passwords counted on the card before this login. */
  failures: number;
}

/**
 * Counts a successful login: each may send a message. Refuses `too_many_requests` beyond a hundred in an hour
 * of a person from unknown browsers; a known `browser` is counted apart.
 */
export async function countRightLogin(
  deps: Pick<Deps, "db" | "now">,
  personId: number,
  browser: string | null,
): Promise<void> {
  const { closed } = await attempt(deps.db, [rightLogins(personId, browser)], deps.now());
  if (closed) throw tooMany(closed);
}

type LoginCall = Pick<Call<typeof identity.login>, "deps" | "origin" | "request" | "reply">;

/**
 * Opens a session after a valid proof. It is bound to the browser when a page of this very site requested it.
 * Refuses `account_disabled` to a person disabled by the operator, `renewal_required` while a login was
 * denied and no new password is chosen, `wrong_credentials` where another password was chosen since this one
 * was compared.
 */
export async function startSession(
  { deps, origin, request, reply }: LoginCall,
  proved: ProvenLogin,
): Promise<Output<typeof identity.login>> {
  const { personId, objectId, type, cardnumber, passwordHash } = proved;
  const now = deps.now();
  const sessionId = randomUUID();
  const binding = origin.samePage ? randomBytes(32).toString("base64url") : null;
  const endsAt = new Date(now.getTime() + limits.absoluteSeconds * 1000);
  const device = await inTx(deps.db, async (tx) => {
    await requireOpenAccount(tx, { personId, passwordHash });
    await tx
      .insertInto("session")
      .values({
        id: sessionId,
        personId,
        cardnumber,
        binding: binding === null ? null : bindingOf(binding),
        createdAt: now,
        renewedAt: now,
        endsAt,
        endedAt: null,
        endedWhy: null,
        address: origin.address,
        agent: origin.agent,
      })
      .execute();
    await auditLogin(tx, proved, { address: origin.address, at: now });
    const carried = request.cookies?.[signIn.deviceCookie];
    return await recognise(deps, tx, { personId, sessionId, carried, origin, at: now });
  });
  if (binding !== null) {
    const maxAge = limits.absoluteSeconds;
    reply.setCookie(limits.bindingCookie, binding, { ...ownCookie, maxAge });
  }
  if (device !== null) {
    const maxAge = signIn.deviceDays * 86_400;
    reply.setCookie(signIn.deviceCookie, device, { ...ownCookie, maxAge });
  }
  return {
    message: "Connexion réussie",
    data: await userOf(deps.db, personId, now),
    token: await issueToken(deps.db, { sessionId, objectId, type, endsAt, now }),
  };
}

/**
 * Under a lock on the person: a denial, a disabling or a new password that comes meanwhile either ends this
 * session or refuses it.
 */
async function requireOpenAccount(
  tx: Tx,
  { personId, passwordHash }: { personId: number; passwordHash: string | undefined },
): Promise<void> {
  const person = await tx
    .selectFrom("person")
    .select(["lockedAt", "disabledWhy", "passwordHash"])
    .where("id", "=", personId)
    .forShare()
    .executeTakeFirstOrThrow();
  if (passwordHash !== undefined && person.passwordHash !== passwordHash) {
    throw new Problem("wrong_credentials");
  }
  if (person.disabledWhy !== null) throw new Problem("account_disabled");
  if (person.lockedAt) throw new Problem("renewal_required");
}

async function auditLogin(
  tx: Tx,
  { personId, how, failures }: ProvenLogin,
  { address, at }: { address: string; at: Date },
): Promise<void> {
  await audit(tx, {
    personId,
    action: how === "passkey" ? "session.open_passkey" : "session.open",
    actor: "person",
    address,
    // Failed tries before this login, shown to the person: someone may have been guessing.
    details: failures > 0 ? { failures } : {},
    at,
  });
  // Refreshes the list of open sessions on open screens.
  await publishChange(tx, personId, "session", "activity");
}
