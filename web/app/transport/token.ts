// The session token: where it is kept in the browser and what it says about itself (spec §2, §9).
// The token is only read here, never trusted: the server checks signature and session at each call.
import { session as limits, spec } from "#contract/limits.ts";
import { logTokenExpired, logTokenUndecodable } from "./console-lines.ts";

export interface TokenClaims {
  /** Seconds since the epoch. */
  exp: number;
  /** The account's public id. */
  sub?: string;
}

/** A cookie's value, null when there is none. What is no percent-encoding is given as it stands. */
export function readCookie(name: string): string | null {
  for (const pair of document.cookie.split("; ")) {
    const equals = pair.indexOf("=");
    if (pair.slice(0, equals) === name) return decoded(pair.slice(equals + 1));
  }
  return null;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Anybody may write a cookie: a garbled token ends the session (spec §2), never the portal.
    return value;
  }
}

const cookie = (name: string, value: string, maxAge: number): string =>
  `${name}=${encodeURIComponent(value)}; Max-Age=${maxAge}; Path=/; Secure; SameSite=Strict`;

/**
 * Writes the two cookies of the session: the token, and its expiry as an ISO instant. Both last one
 * hour (spec §4, spec.md 1). `expiresIn` is in seconds; gives the expiry, in milliseconds since the epoch.
 */
export function keepToken(jeton: string, expiresIn: number): number {
  const expires = new Date(Date.now() + expiresIn * 1000);
  document.cookie = cookie(spec.tokenCookie, jeton, spec.cookieLifetimeSeconds);
  document.cookie = cookie(limits.expiryCookie, expires.toISOString(), spec.cookieLifetimeSeconds);
  return expires.getTime();
}

export function dropToken(): void {
  document.cookie = cookie(spec.tokenCookie, "", 0);
  document.cookie = cookie(limits.expiryCookie, "", 0);
}

export const readToken = (): string | null => readCookie(spec.tokenCookie);

/** When the token in the cookie ends, in milliseconds since the epoch; null without a session. */
export function tokenEndsAt(): number | null {
  const expires = Date.parse(readCookie(limits.expiryCookie) ?? "");
  return Number.isNaN(expires) ? null : expires;
}

/**
 * The content of a token. Throws a sentence for each of its four garbled forms: not a string, a part missing,
 * bad base64, bad JSON (spec §8); a payload without a numeric `exp` is bad JSON too.
 */
export function decodeToken(token: unknown): TokenClaims {
  if (typeof token !== "string") throw new TypeError("le token n'est pas une chaîne");
  const [header, payload, signature] = token.split(".");
  if (!header || !payload || !signature) throw new Error("une partie du token manque");
  if (token.includes("%")) throw new Error("le token n'est pas du base64");
  const claims: unknown = JSON.parse(fromBase64Url(payload));
  if (typeof claims !== "object" || claims === null) throw new Error("le token est vide");
  const { exp, sub } = claims as Record<string, unknown>;
  if (typeof exp !== "number") throw new Error("le token n'a pas d'expiration");
  return { exp, ...(typeof sub === "string" && { sub }) };
}

function fromBase64Url(part: string): string {
  const binary = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

export type TokenState = "missing" | "undecodable" | "expired" | "valid";

/** The state of a token at `now` (milliseconds), with the console lines of spec §8. */
export function stateOfToken(token: unknown, now = Date.now()): TokenState {
  if (token === null) return "missing";
  let claims: TokenClaims;
  try {
    claims = decodeToken(token);
  } catch (reason) {
    logTokenUndecodable(reason);
    return "undecodable";
  }
  if (claims.exp * 1000 > now) return "valid";
  logTokenExpired();
  return "expired";
}
