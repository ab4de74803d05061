// The site that passkeys are made for, and the challenges that browsers sign, each once.
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { Problem } from "#contract/errors.ts";
import { signIn as limits } from "#contract/limits.ts";
import type { Db } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { siteOrigin } from "#server/http/site.ts";

/** The relying party of a passkey: the name of the site, and the origin that the browser must have seen. */
export interface Site {
  rpID: string;
  origin: string;
}

/** The site as this browser sees it. Refuses `passkeys_unavailable` where browsers allow none. */
export function siteOf(deps: Deps, request: FastifyRequest): Site {
  const site = siteAt(siteOrigin(deps, request));
  if (!site) throw new Problem("passkeys_unavailable");
  return site;
}

/** The site at an origin, null where browsers allow no passkeys. */
export function siteAt(address: string): Site | null {
  const { hostname, origin, protocol } = new URL(address);
  const named = isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
  const allowed = named && (protocol === "https:" || hostname === "localhost");
  return allowed ? { rpID: hostname, origin } : null;
}

/** Who requested the challenge: a person in a session who makes a passkey, or a browser about to log in. */
export type Asker = { personId: number; sessionId: string } | null;

export const newChallenge = (): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(32));

/** Stores a challenge (base64url, as the browser returns it) for five minutes. */
export async function keepChallenge(db: Db, challenge: string, asker: Asker, at: Date) {
  await db
    .insertInto("passkeyChallenge")
    .values({
      challenge,
      personId: asker?.personId ?? null,
      sessionId: asker?.sessionId ?? null,
      createdAt: at,
      expiresAt: new Date(at.getTime() + limits.challengeSeconds * 1000),
    })
    .execute();
}

/**
 * The challenge that an answer claims to have signed, if it was given to this asker: deleted at once,
 * whatever the answer is worth, so that it allows one try. Refuses `passkey_expired`, and `passkey_refused`
 * for an answer that cannot be read.
 */
export async function takeChallenge(
  deps: Deps,
  clientDataJSON: string,
  asker: Asker,
): Promise<string> {
  const claimed = challengeIn(clientDataJSON);
  let query = deps.db
    .deleteFrom("passkeyChallenge")
    .where("challenge", "=", claimed)
    .returning("expiresAt");
  query = asker
    ? query.where("personId", "=", asker.personId).where("sessionId", "=", asker.sessionId)
    : query.where("personId", "is", null);
  const row = await query.executeTakeFirst();
  if (!row || row.expiresAt <= deps.now()) throw new Problem("passkey_expired");
  return claimed;
}

function challengeIn(clientDataJSON: string): string {
  try {
    const read: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    const { challenge } = read as { challenge?: unknown };
    if (typeof challenge === "string" && /^[\w-]{43}$/.test(challenge)) return challenge;
  } catch {
    // Refused below, like any other invalid answer.
  }
  throw new Problem("passkey_refused");
}

/** A person's user handle: the bytes of their public id, nothing else. */
export const handleOf = (objectId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(objectId.replaceAll("-", ""), "hex"));
