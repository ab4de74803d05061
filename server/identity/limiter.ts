// Counters of attempts, in the database so that a crash or another process loses none of them.
import { isIPv6 } from "node:net";
import { sql } from "kysely";
import { ofOneAddress, ofOnePerson } from "#contract/identity/limits.ts";
import { codes, login, signIn } from "#contract/limits.ts";
import { Problem } from "#contract/errors.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";

export interface Bucket {
  key: string;
  /** `ladder`: some free attempts, then longer and longer waits. `window`: so many per span. */
  kind: "ladder" | "window";
  allowed: number;
  spanSeconds: number;
}

/** Attempts on one card: the ladder of 5 free failures, then 1, 2, 4… s. */
export const perCard = (cardnumber: number): Bucket => ({
  key: `login:card:${cardnumber}`,
  kind: "ladder",
  allowed: login.freeFailures,
  spanSeconds: login.memorySeconds,
});

/** Attempts on a card from a browser that its person logged in from before (`knownBrowser`). */
export const perBrowser = (browser: string): Bucket => ({
  ...perCard(0),
  key: `login:browser:${browser}`,
});

/**
 * Attempts from one address. An IPv6 subscriber owns a whole /64, and may own a /48: both are counted,
 * the wide one four times as large, since neighbours share it.
 */
export const fromAddress = (
  act: string,
  address: string,
  { allowed, spanSeconds }: { allowed: number; spanSeconds: number },
): Bucket[] =>
  networksOf(address).map((network, at) => ({
    key: `${act}:address:${network}`,
    kind: "window",
    allowed: at === 0 ? allowed : allowed * 4,
    spanSeconds,
  }));

/** Login attempts from one address, whatever the card: one guess on each of many cards. */
export const perAddress = (address: string): Bucket[] =>
  fromAddress("login", address, { allowed: login.perAddressPerMinute, spanSeconds: 60 });

/** Attempts from all addresses: distributed guessing. */
export const everyone: Bucket = {
  key: "login:everyone",
  kind: "window",
  allowed: login.everyonePerMinute,
  spanSeconds: 60,
};

/** Successful logins: of a person from unknown browsers, or from one known browser (`knownBrowser`). */
export const rightLogins = (personId: number, browser: string | null): Bucket => ({
  key: `login:right:${browser ?? `person:${personId}`}`,
  kind: "window",
  allowed: ofOnePerson.loginsPerHour,
  spanSeconds: 3600,
});

/** Messages that tell a person of logins from unknown browsers. */
export const alertMessages = (personId: number): Bucket => ({
  key: `alert-message:${personId}`,
  kind: "window",
  allowed: 1,
  spanSeconds: ofOnePerson.alertMessageEverySeconds,
});

/** Tries of the current password inside a session: an intruder in another session locks nobody out. */
export const perPassword = (sessionId: string): Bucket => ({
  key: `password:${sessionId}`,
  kind: "ladder",
  allowed: login.freeFailures,
  spanSeconds: login.memorySeconds,
});

/**
 * Passwords chosen from a session, accepted or refused: each costs hashes, and a message once it is stored.
 */
export const choicesOf = (sessionId: string): Bucket => ({
  key: `password-choice:${sessionId}`,
  kind: "window",
  allowed: ofOnePerson.choicesPerHour,
  spanSeconds: 3600,
});

/** Recovery codes tried on one card, or from a browser that its person logged in from before. */
export const perRecovery = (cardnumber: number, browser: string | null): Bucket => ({
  key: browser === null ? `recovery:card:${cardnumber}` : `recovery:browser:${browser}`,
  kind: "ladder",
  allowed: login.freeFailures,
  spanSeconds: login.memorySeconds,
});

/** Passkey challenges requested from one address. */
export const challengesFrom = (address: string): Bucket[] =>
  fromAddress("passkey", address, { allowed: signIn.challengesPerMinute, spanSeconds: 60 });

/** Codes sent to one person (or one unknown card) for one purpose. */
export const perRecipient = (key: string): Bucket => ({
  key,
  kind: "window",
  allowed: codes.sends,
  spanSeconds: codes.sendWindowSeconds,
});

/** Codes requested from one address, for any purpose. */
export const codesFrom = (address: string): Bucket[] =>
  fromAddress("code", address, {
    allowed: ofOneAddress.codesSent,
    spanSeconds: codes.sendWindowSeconds,
  });

/** Challenges for a passkey, made without a code, of one person for any purpose. */
export const heldCodes = (personId: number): Bucket => ({
  key: `code-held:${personId}`,
  kind: "window",
  allowed: ofOnePerson.heldCodes,
  spanSeconds: codes.sendWindowSeconds,
});

/** Closed for a day once a person had a code sent to an address: it then is no new one. */
export const knownAddress = (digest: string): Bucket => ({
  key: `code-address:${digest}`,
  kind: "window",
  allowed: 1,
  spanSeconds: 86_400,
});

/** New addresses, of anybody, that one person has codes sent to. */
export const newAddresses = (personId: number): Bucket => ({
  key: `code-addresses:person:${personId}`,
  kind: "window",
  allowed: ofOnePerson.newAddressesPerDay,
  spanSeconds: 86_400,
});

/**
 * Wrong codes of one person for one purpose: three codes per quarter of an hour, guessed at all day long,
 * would open one account in a thousand.
 */
export const wrongCodes = (key: string): Bucket => ({
  key: `wrong:${key}`,
  kind: "window",
  allowed: codes.wrongPerDay,
  spanSeconds: 86_400,
});

/** Forgotten passwords declared from one address. */
export const forgottenFrom = (address: string): Bucket[] =>
  fromAddress("forgot", address, {
    allowed: codes.sendsPerAddress,
    spanSeconds: codes.sendWindowSeconds,
  });

/** The networks by which an address is counted: itself, or the /64 and the /48 of an IPv6. */
export function networksOf(address: string): [string, ...string[]] {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  if (!isIPv6(plain)) return [plain];
  const [head = "", tail] = plain.toLowerCase().split("::");
  const start = head.split(":").filter(Boolean);
  const end = (tail ?? "").split(":").filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => "0");
  const groups = [...start, ...zeros, ...end].map((group) =>
    Number.parseInt(group, 16).toString(16),
  );
  return [`${groups.slice(0, 4).join(":")}::/64`, `${groups.slice(0, 3).join(":")}::/48`];
}

/** The wait of a closed bucket. */
export interface Wait {
  key: string;
  seconds: number;
  /** French words for a sentence: « 8 s », « 15 min ». */
  wait: string;
}

/**
 * Counts an attempt in all the buckets, or in none when one is closed. Returns the wait, or how many attempts
 * the first bucket held before this one.
 */
export async function attempt(
  db: Db,
  buckets: Bucket[],
  now: Date,
): Promise<{ closed: Wait; before: null } | { closed: null; before: number }> {
  const row = await query(db).one(sql<{
    blockedKey: string | null;
    blockedTill: Date | null;
    tally: number | null;
  }>`select * from limiter_take(
      ${buckets.map((bucket) => bucket.key)}::text[],
      ${buckets.map((bucket) => bucket.kind === "ladder")}::boolean[],
      ${buckets.map((bucket) => bucket.allowed)}::int[],
      ${buckets.map((bucket) => bucket.spanSeconds)}::int[],
      ${login.longestDelaySeconds}, ${now})`);
  if (!row.blockedKey || !row.blockedTill) return { closed: null, before: row.tally ?? 0 };
  return { closed: waitUntil(row.blockedKey, row.blockedTill, now), before: null };
}

/** Whether a window is full, without counting anything. */
export async function isFull(db: Db, bucket: Bucket, now: Date): Promise<Wait | null> {
  const row = await db
    .selectFrom("limiter")
    .select(["failures", "since"])
    .where("key", "=", bucket.key)
    .executeTakeFirst();
  if (!row || row.failures < bucket.allowed) return null;
  const end = new Date(row.since.getTime() + bucket.spanSeconds * 1000);
  return end > now ? waitUntil(bucket.key, end, now) : null;
}

function waitUntil(key: string, end: Date, now: Date): Wait {
  const seconds = Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
  return { key, seconds, wait: inWords(seconds) };
}

/** The refusal of a closed bucket that is not about one card. */
export const tooMany = ({ seconds, wait }: Wait): Problem =>
  new Problem("too_many_requests", { seconds, wait });

/** Removes the attempts before a success. */
export async function forget(db: Db, bucket: Bucket): Promise<void> {
  await db.deleteFrom("limiter").where("key", "=", bucket.key).execute();
}

/** Takes one attempt back: only failures fill the buckets that people share. */
export async function giveBack(db: Db, buckets: Bucket[]): Promise<void> {
  for (const { key } of buckets) {
    await db
      .updateTable("limiter")
      .set({ failures: sql<number>`greatest(failures - 1, 0)` })
      .where("key", "=", key)
      .execute();
  }
}

/** « 8 s », « 2 min », « 23 h »: rounded up, so that the wait is over when it is said to be. */
export function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}
