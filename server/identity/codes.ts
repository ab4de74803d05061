// One-time codes: made here, stored as an HMAC, tried at most five times, used once. Each is bound to one
// person, one purpose and exactly the content that it approves.
import { randomBytes, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import { Problem } from "#contract/errors.ts";
import { plural } from "#contract/french.ts";
import { codes as limits } from "#contract/limits.ts";
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";
import { type Contact, sendLetter } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { keysOf, seal, type Keys } from "./keys.ts";
import {
  attempt,
  codesFrom,
  heldCodes,
  isFull,
  knownAddress,
  newAddresses,
  perRecipient,
  tooMany,
  wrongCodes,
} from "./limiter.ts";

export type Purpose =
  | "forgot"
  | "email"
  | "phone"
  | "transfer"
  | "top_up"
  | "family"
  | "payment"
  | "passkey"
  | "passkey_remove"
  | "recovery"
  | "export"
  | "closure"
  | "spoken"
  | "membership"
  | "company_bank"
  | "company_role";

export interface IssuedCode {
  challenge: string;
  expiresAt: Date;
}

export interface Approval {
  purpose: Purpose;
  /** The content that the code approves; for anything else it is void. */
  binding: unknown;
}

const boundTo = (keys: Keys, { purpose, binding }: Approval): Buffer =>
  seal(keys, "code binding", JSON.stringify([purpose, binding]));

/**
 * Counts a code about to be sent. Refuses `code_sends_exhausted` beyond three in a quarter of an hour
 * under one key, or many from one address, and for the day once too many wrong ones were typed.
 */
export async function countSend(deps: Deps, key: string, address?: string): Promise<void> {
  const now = deps.now();
  const guessed = await isFull(deps.db, wrongCodes(key), now);
  const buckets = [perRecipient(key), ...(address === undefined ? [] : codesFrom(address))];
  const closed = guessed ?? (await attempt(deps.db, buckets, now)).closed;
  if (!closed) return;
  const { seconds, wait } = closed;
  throw new Problem("code_sends_exhausted", { seconds, wait });
}

/** Counts a challenge made without a code. Refuses `too_many_requests` beyond sixty in a quarter of an hour. */
export async function countHeldCode(deps: Deps, personId: number): Promise<void> {
  const { closed } = await attempt(deps.db, [heldCodes(personId)], deps.now());
  if (closed) throw tooMany(closed);
}

/**
 * Counts an address that a person has a code sent to for the first time in a day, for any purpose: it keeps
 * anybody from sending codes to many strangers. Refuses `code_addresses_exhausted` {seconds, wait}.
 */
export async function countNewAddress(
  deps: Deps,
  personId: number,
  { address }: Contact,
): Promise<void> {
  const digest = seal(await keysOf(deps.db), "code address", `${personId}:${address}`);
  const before = knownAddress(digest.toString("base64url"));
  const { closed } = await attempt(deps.db, [before, newAddresses(personId)], deps.now());
  if (!closed || closed.key === before.key) return;
  throw new Problem("code_addresses_exhausted", { seconds: closed.seconds, wait: closed.wait });
}

/**
 * Makes a code and sends it, in the transaction. `to` null makes the decoy of an unknown card: a row like the
 * others that no code matches. `what` ends the sentence « Votre code pour … ».
 */
export async function issueCode(
  deps: Deps,
  tx: Tx,
  order: Approval & {
    personId: number | null;
    key: string;
    to: Contact | null;
    sentTo: string;
    what: string;
    /** Replaces « Ne le donnez à personne ». */
    note?: string;
    /** When the approved content expires, if that is before the code's own end. */
    until?: Date;
  },
): Promise<IssuedCode> {
  const keys = await keysOf(deps.db);
  const now = deps.now();
  const challenge = randomUUID();
  const lastMs = now.getTime() + limits.lifeSeconds * 1000;
  const expiresAt = new Date(Math.min(lastMs, order.until?.getTime() ?? lastMs));
  const minutes = Math.max(1, Math.round((expiresAt.getTime() - now.getTime()) / 60_000));
  const code = String(randomInt(10 ** limits.digits)).padStart(limits.digits, "0");
  await tx
    .insertInto("code")
    .values({
      id: challenge,
      purpose: order.purpose,
      personId: order.personId,
      limiterKey: order.key,
      binding: boundTo(keys, order),
      hmac: order.to ? seal(keys, "code", `${challenge}:${code}`) : randomBytes(32),
      sentTo: order.sentTo,
      createdAt: now,
      expiresAt,
      usedAt: null,
    })
    .execute();
  if (order.to) {
    const letter = {
      subject: "Votre code Ma carte",
      code,
      body: `${code} est votre code pour ${order.what}. Il est valable ${plural(minutes, "minute")}.`,
      note:
        order.note ?? "Ne le donnez à personne. Si vous n'avez rien demandé, ignorez ce message.",
    };
    await sendLetter(tx, deps, order.to, letter, { personId: order.personId, secret: true });
  }
  return { challenge, expiresAt };
}

/**
 * Counts a try of a challenge, in a statement of its own: it counts even if the caller's transaction is
 * rolled back, and parallel tries cannot share one count. Refuses `code_expired` when it is old, used, out of
 * tries or made for something else.
 */
export async function takeTry(
  deps: Deps,
  { challenge, ...approval }: Approval & { challenge: string },
) {
  const keys = await keysOf(deps.db);
  const row = await deps.db
    .updateTable("code")
    .set({ tries: sql<number>`tries + 1` })
    .where("id", "=", challenge)
    .where("purpose", "=", approval.purpose)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", deps.now())
    .where("tries", "<", limits.tries)
    .returning(["personId", "binding", "hmac", "tries", "limiterKey"])
    .executeTakeFirst();
  if (!row || !timingSafeEqual(row.binding, boundTo(keys, approval))) {
    throw new Problem("code_expired");
  }
  return row;
}

/**
 * Tries a code. A right one is not used up yet: `consume` does that in the transaction of its effect. Returns
 * the person whom the code was made for. Refuses `code_wrong` with `left`, and what `takeTry` does.
 */
export async function tryCode(
  deps: Deps,
  { code, ...tried }: Approval & { challenge: string; code: string },
): Promise<number | null> {
  const keys = await keysOf(deps.db);
  const row = await takeTry(deps, tried);
  if (timingSafeEqual(row.hmac, seal(keys, "code", `${tried.challenge}:${code}`))) {
    return row.personId;
  }
  await attempt(deps.db, [wrongCodes(row.limiterKey)], deps.now());
  const left = limits.tries - row.tries;
  throw left > 0 ? new Problem("code_wrong", { left }) : new Problem("code_expired");
}

/**
 * Uses a code up, in the transaction of what it approves: both happen or neither. Of two calls with the same
 * code the second waits for the first, then is refused `code_expired`.
 */
export async function consume(tx: Tx, challenge: string, at: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("code")
    .set({ usedAt: at })
    .where("id", "=", challenge)
    .where("usedAt", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Problem("code_expired");
}

/** Voids a person's other codes for a purpose. */
export async function voidCodes(tx: Tx, personId: number, purpose: Purpose, at: Date) {
  await tx
    .updateTable("code")
    .set({ usedAt: at })
    .where("personId", "=", personId)
    .where("purpose", "=", purpose)
    .where("usedAt", "is", null)
    .execute();
}
