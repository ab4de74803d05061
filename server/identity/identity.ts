// Identity owns persons, their sessions, passwords and one-time codes, and the audit trail. Everywhere it
// refuses a session that has ended, a token without the browser it was given to, a code used twice.
import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import { cardCan, type CardState, cardStates } from "#contract/cards/rows.ts";
import { Problem } from "#contract/errors.ts";
import type { User } from "#contract/identity/rows.ts";
import { session as limits, signIn } from "#contract/limits.ts";
import type { Db } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller, ReadAlong } from "#server/http/caller.ts";
import { siteOrigin } from "#server/http/site.ts";
import { keysOf, type Keys, lock, seal, unlock } from "./keys.ts";
import { sessionEndOf } from "./session-end.ts";
import { readSessionState } from "./session-state.ts";
import { attempt, type Bucket, fromAddress, tooMany } from "./limiter.ts";
import { hashPassword } from "./passwords.ts";
import { sessionOfToken } from "./token.ts";

export { activityLabel } from "./activity.ts";
export { audit, auditAct, auditActs, auditAll, type AuditLine, auditOperator } from "./audit.ts";
export { changeContact } from "./contact-change.ts";
export { endSessions, requireOpenSession } from "./session-end.ts";
export { sessionStateColumns } from "./session-state.ts";
export { mobileOf, onContactReplaced, phoneOf } from "./contacts.ts";
export { type LoginDenied, onLoginDenied } from "./alerts.ts";
export { onPasswordChosen, type PasswordChosen } from "./passwords.ts";
export { profileFacts } from "./profile.ts";
export { announceSecurity } from "./security-notice.ts";
export { sendSpokenCode, trySpokenCode } from "./spoken-code.ts";
export { CodeRequired, type Proof, proofOf, requireCode, withCodeOnDemand } from "./step-up.ts";
export { isTourOffered } from "./tour.ts";

/**
 * Authenticates a call: reads the bearer token, then the session, the person and the card as they are now, in
 * one query, so that a logout, an opposition or a changed password takes effect at once (spec.md 1). Refuses
 * `unauthenticated` without a token, `session_ended` for any invalid one: a token that is altered or expired,
 * a session closed, a person disabled, the browser's binding cookie missing; `session_opposed` where an
 * opposition closed it. `along` reads the session together with the row's answer, so that both cost one round
 * trip.
 */
export async function authenticate(
  deps: Deps,
  request: FastifyRequest,
  along?: ReadAlong,
): Promise<Caller> {
  const jeton = /^Bearer ([\w.-]{1,2000})$/i.exec(request.headers.authorization ?? "")?.[1];
  if (!jeton) throw new Problem("unauthenticated");
  const now = deps.now();
  const sessionId = await sessionOfToken(deps.db, jeton, now);
  const read = along?.(deps, request) ?? ((id: string) => readSessionState(deps.pool, id));
  const row = sessionId === null ? undefined : await read(sessionId);
  if (!row || (row.binding && !isBound(row.binding, request.cookies?.[limits.bindingCookie]))) {
    throw new Problem("session_ended");
  }
  if (row.ended_at || row.disabled_at || row.ends_at <= now) {
    throw new Problem(sessionEndOf(row.ended_why));
  }
  if (now.getTime() - row.seen_at.getTime() > signIn.seenEverySeconds * 1000) {
    await writeLastUse(deps, row.session_id, now);
  }
  return {
    sessionId: row.session_id,
    personId: row.person_id,
    objectId: row.object_id,
    type: row.type,
    cardnumber: row.cardnumber,
    name: row.name,
    company: row.company,
    mustReset: row.must_reset,
    siteOrigin: siteOrigin(deps, request),
    address: request.ip,
  };
}

/** Records the last use, for the list of open sessions; a call does not fail when this write does. */
async function writeLastUse({ db, log }: Deps, sessionId: string, at: Date): Promise<void> {
  const written = db.updateTable("session").set({ seenAt: at }).where("id", "=", sessionId);
  await written.execute().catch((error: unknown) => log.warn({ err: error }, "last use not kept"));
}

/** The stored hash of the binding cookie. */
export const bindingOf = (cookie: string): Buffer => createHash("sha256").update(cookie).digest();

const isBound = (binding: Buffer, cookie: string | undefined): boolean =>
  cookie !== undefined && timingSafeEqual(binding, bindingOf(cookie));

/** A person found by the number of a card. */
export interface CardHolder {
  personId: number;
  objectId: string;
  type: 1 | 2;
  name: string;
  cardnumber: number;
  state: CardState;
  /** Disabled by the operator, or closed. */
  disabled: boolean;
  /** Closed for good: by its person, or with the demo. */
  closed: boolean;
  /** Whether only a printed secret signs in: no password was chosen, or it was given up; a code does not. */
  secretOnly: boolean;
}

const loginStates = cardStates.filter((state) => cardCan.logIn({ state }));
/** States of a first card that is still on its way. */
const orderedStates = cardStates.filter(
  (state) => state !== "requested" && cardCan.assign({ state }),
);
const firstLoginStates = cardStates.filter((state) => cardCan.logInFirst({ state }));

/**
 * The person whose card has this number, null for an unknown or replaced one. A first card that was sent
 * counts until its holder has chosen a password, which activates it; so does one on its way whose holder
 * opens their account by a code (spec.md 22).
 */
export async function personByCard(db: Db, cardnumber: number): Promise<CardHolder | null> {
  const row = await db
    .selectFrom("card")
    .innerJoin("person", "person.id", "card.personId")
    .select([
      "person.id",
      "person.objectId",
      "type",
      "name",
      "disabledAt",
      "disabledWhy",
      "mustReset",
      "passwordChangedAt",
      "opensByCode",
      "card.number",
      "card.state",
    ])
    .where("card.number", "=", cardnumber)
    .where((is) =>
      is.or([
        is("card.state", "in", loginStates),
        is.and([
          is("card.state", "in", firstLoginStates),
          is("card.replaces", "is", null),
          is("person.mustReset", "=", true),
          is("person.passwordChangedAt", "is", null),
        ]),
        is.and([
          is("card.state", "in", orderedStates),
          is("card.replaces", "is", null),
          is("person.opensByCode", "=", true),
        ]),
      ]),
    )
    .executeTakeFirst();
  if (!row) return null;
  return {
    personId: row.id,
    objectId: row.objectId,
    type: row.type,
    name: row.name,
    cardnumber: row.number,
    state: row.state,
    disabled: row.disabledAt !== null,
    closed: row.disabledAt !== null && row.disabledWhy === null,
    secretOnly: row.mustReset && !(row.opensByCode && row.passwordChangedAt === null),
  };
}

/** The current user as the wire shows it (spec §3): subscription dates and card state as of `now`. */
export async function userOf(db: Db, personId: number, now: Date): Promise<User> {
  const person = await db
    .selectFrom("person")
    .leftJoinLateral(
      sql<{ number: number; atf: number }>`current_card(person.id)`.as("card"),
      (join) => join.onTrue(),
    )
    .selectAll("person")
    .select(["card.number", "card.atf"])
    .where("person.id", "=", personId)
    .executeTakeFirstOrThrow();
  const expires = person.subscriptionExpiresAt;
  return {
    id: person.id,
    avatar: person.avatar,
    cardnumber: person.number ?? 0,
    name: person.name,
    dateRenew: person.subscriptionRenewsOn,
    subExp: expires ? Math.floor(expires.getTime() / 1000) : 0,
    phonenumber: person.phonenumber,
    isc: expires && expires > now ? 1 : 0,
    actif: person.atf ?? 0,
    type: person.type,
    isReset: person.mustReset,
    email: person.email,
    objectID: person.objectId,
  };
}

/** Counts a call from an address; throws `too_many_requests` beyond so many in a minute. */
export const requireAddressRateLimit = (
  deps: Pick<Deps, "db" | "now">,
  { act, address, perMinute }: { act: string; address: string; perMinute: number },
): Promise<void> =>
  requireWithinBuckets(deps, fromAddress(act, address, { allowed: perMinute, spanSeconds: 60 }));

/**
 * Counts an action of a person, at once and even if it fails; throws `too_many_requests` {seconds} beyond
 * `max` in `seconds` (a minute).
 */
export const requirePersonRateLimit = (
  deps: Pick<Deps, "db" | "now">,
  {
    act,
    personId,
    max,
    seconds = 60,
  }: { act: string; personId: number; max: number; seconds?: number },
): Promise<void> =>
  requireWithinBuckets(deps, [
    { key: `${act}:person:${personId}`, kind: "window", allowed: max, spanSeconds: seconds },
  ]);

async function requireWithinBuckets(
  { db, now }: Pick<Deps, "db" | "now">,
  buckets: Bucket[],
): Promise<void> {
  const { closed } = await attempt(db, buckets, now());
  if (closed) throw tooMany(closed);
}

/** E-mail and phone on file. */
export const contactsOf = (db: Db, personId: number) =>
  db
    .selectFrom("person")
    .select(["email", "phonenumber", "name"])
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();

/**
 * The installation's keys, with which later rooms sign (a card's QR…): made once, the same on every process.
 * Each signed text includes its purpose.
 */
export const loadKeys = (db: Db): Promise<Keys> => keysOf(db);

export { changeRootKey, historyKey, openRootKeys } from "./keys.ts";

/** The hash of a secret printed for a first login, after which a password must be chosen. */
export const hashFirstPassword = (secret: string): Promise<string> => hashPassword(secret);

/** A digest of `text` for one purpose that only this installation can make (HMAC-SHA-256). */
export const digestFor = async (db: Db, purpose: string, text: string): Promise<Buffer> =>
  seal(await keysOf(db), purpose, text);

/**
 * Seals `text` for one purpose and one person (AES-256-GCM): a copy of the row can be opened for nobody else.
 */
export const sealFor = async (db: Db, purpose: string, personId: number, text: string) =>
  lock(await keysOf(db), purpose, String(personId), text);

/** Opens a text sealed by `sealFor`; throws when it was altered or belongs to somebody else. */
export const unsealFor = async (db: Db, purpose: string, personId: number, sealed: Buffer) =>
  unlock(await keysOf(db), purpose, String(personId), sealed);
