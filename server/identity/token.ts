// The session token: it only names a session, whose row decides (spec.md 1).
import { jwtVerify, SignJWT } from "jose";
import { session } from "#contract/limits.ts";
import type { Db } from "#server/db/db.ts";
import { keysOf } from "./keys.ts";

const audience = "ma-carte";
const typ = "session+jwt";

export interface Token {
  jeton: string;
  /** Seconds until it expires. */
  expires_in: number;
}

/** Signs a token for a session: at most one hour, and never beyond the session's own end. */
export async function issueToken(
  db: Db,
  {
    sessionId,
    objectId,
    type,
    endsAt,
    now,
  }: {
    sessionId: string;
    objectId: string;
    type: 1 | 2;
    endsAt: Date;
    now: Date;
  },
): Promise<Token> {
  const { kid, sign } = await keysOf(db);
  const seconds = Math.floor(now.getTime() / 1000);
  const left = Math.floor((endsAt.getTime() - now.getTime()) / 1000);
  const lasts = Math.min(session.tokenSeconds, left);
  const jeton = await new SignJWT({ sid: sessionId, type })
    .setProtectedHeader({ alg: "EdDSA", typ, kid })
    .setSubject(objectId)
    .setAudience(audience)
    .setExpirationTime(seconds + lasts)
    .sign(sign);
  return { jeton, expires_in: lasts };
}

// Verifying a signature costs more than the rest of a call before its row is read. Verified tokens are
// cached; whether their session is open is queried each time.
const maxCachedTokens = 5000;
const verifiedTokens = new WeakMap<Db, Map<string, { sessionId: string; expires: number }>>();

/** The session that a token names, null when the token is not ours, altered or expired at `now`. */
export async function sessionOfToken(db: Db, jeton: string, now: Date): Promise<string | null> {
  let known = verifiedTokens.get(db);
  if (!known) verifiedTokens.set(db, (known = new Map()));
  let claims = known.get(jeton);
  if (!claims) {
    const fresh = await check(db, jeton, now);
    if (!fresh) return null;
    if (known.size >= maxCachedTokens) known.delete(known.keys().next().value ?? "");
    known.set(jeton, (claims = fresh));
  }
  return claims.expires > now.getTime() / 1000 ? claims.sessionId : null;
}

async function check(db: Db, jeton: string, now: Date) {
  const { kid, verify } = await keysOf(db);
  try {
    const { payload, protectedHeader } = await jwtVerify(jeton, verify, {
      algorithms: ["EdDSA"],
      audience,
      typ,
      currentDate: now,
      requiredClaims: ["exp", "sub", "sid"],
    });
    const { sid, exp } = payload;
    if (protectedHeader.kid !== kid || typeof sid !== "string" || exp === undefined) return null;
    return { sessionId: sid, expires: exp };
  } catch {
    return null;
  }
}
