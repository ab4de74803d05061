// The browsers that a person logs in from, recognised by a long-lived cookie, and the alert on a new one
// (docs/decisions/008). The database keeps a hash of the cookie, for each person apart.
import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import { signIn as limits } from "#contract/limits.ts";
import { formatDateTime } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Origin } from "#server/http/caller.ts";
import { openAlert } from "./alerts.ts";
import { deviceOf } from "./device-words.ts";
import { audit } from "./audit.ts";
import { alertMessages, attempt } from "./limiter.ts";
import { announceSecurity } from "./security-notice.ts";

export interface Visit {
  personId: number;
  sessionId: string;
  /** The device cookie that the browser sent. */
  carried: string | undefined;
  origin: Origin;
  at: Date;
}

/** The stored hash of the cookie. */
export const hashOf = (cookie: string): Buffer => createHash("sha256").update(cookie).digest();

/**
 * Recognises the browser of a login, in the login's transaction, or records it and alerts the person; returns
 * the cookie to set. The very first browser is only recorded: nobody has logged in before who could be
 * warned. A call that is from no page of this very site gets no cookie, and is unknown each time.
 */
export async function recognise(deps: Deps, tx: Tx, visit: Visit): Promise<string | null> {
  const { personId, origin, at } = visit;
  const carried = /^[\w-]{43}$/.exec(visit.carried ?? "")?.[0];
  if (carried !== undefined) {
    const known = await tx
      .updateTable("knownDevice")
      .set({ lastAt: at })
      .where("personId", "=", personId)
      .where("hash", "=", hashOf(carried))
      .where("lastAt", ">", new Date(at.getTime() - limits.deviceDays * dayMs))
      .executeTakeFirst();
    if (known.numUpdatedRows > 0n) return carried;
  }
  const others = await tx
    .selectFrom("knownDevice")
    .select("hash")
    .where("personId", "=", personId)
    .execute();
  if (!origin.samePage) {
    if (others.length > 0) await alertOf(deps, tx, visit);
    return null;
  }
  // A browser that several people share keeps its cookie; a cookie that we never set is replaced.
  const ours = carried !== undefined && (await isOurs(tx, carried));
  const cookie = ours ? carried : randomBytes(32).toString("base64url");
  await tx
    .insertInto("knownDevice")
    .values({ personId, hash: hashOf(cookie), firstAt: at, lastAt: at })
    .onConflict((same) => same.columns(["personId", "hash"]).doUpdateSet({ lastAt: at }))
    .execute();
  await dropBeyond(tx, personId, hashOf(cookie));
  if (others.length > 0) await alertOf(deps, tx, visit);
  return cookie;
}

/**
 * A name for the browser of a call when it is known for the card's holder, else null: known browsers are
 * counted apart, so that a stranger's guesses lock nobody out.
 */
export async function knownBrowser(
  { db, now }: Pick<Deps, "db" | "now">,
  cardnumber: number,
  carried: string | undefined,
): Promise<string | null> {
  if (carried === undefined) return null;
  const hash = hashOf(carried);
  const row = await db
    .selectFrom("knownDevice as d")
    .innerJoin("card as c", "c.personId", "d.personId")
    .select("d.personId")
    .where("c.number", "=", cardnumber)
    .where("d.hash", "=", hash)
    .where("d.lastAt", ">", new Date(now().getTime() - limits.deviceDays * dayMs))
    .executeTakeFirst();
  return row ? `${cardnumber}:${hash.toString("hex")}` : null;
}

/** Since when a browser has been known for a person; null when it is not. */
export async function knownSince(tx: Tx, personId: number, carried: string): Promise<Date | null> {
  const row = await tx
    .selectFrom("knownDevice")
    .select("firstAt")
    .where("personId", "=", personId)
    .where("hash", "=", hashOf(carried))
    .executeTakeFirst();
  return row?.firstAt ?? null;
}

async function isOurs(tx: Tx, cookie: string): Promise<boolean> {
  const row = await tx
    .selectFrom("knownDevice")
    .select("personId")
    .where("hash", "=", hashOf(cookie))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Limits the browsers of a person: one that drops its cookies would fill the table, and an intruder with the
 * password could evict the owner's. Besides the browser of this login, those that came back on a later day
 * are kept longest.
 */
async function dropBeyond(tx: Tx, personId: number, comesIn: Buffer): Promise<void> {
  await tx
    .deleteFrom("knownDevice")
    .where("personId", "=", personId)
    .where("hash", "in", (rows) =>
      rows
        .selectFrom("knownDevice")
        .select("hash")
        .where("personId", "=", personId)
        .where("hash", "<>", comesIn)
        .orderBy(sql`last_at >= first_at + interval '1 day'`, "desc")
        .orderBy("lastAt", "desc")
        .offset(limits.devicesPerPerson - 1),
    )
    .execute();
}

/**
 * Deletes the browsers of a person: all, all but the one with the cookie `except`, or those that became known
 * after `since`.
 */
export async function forgetDevices(
  tx: Tx,
  personId: number,
  { except, since }: { except?: string | undefined; since?: Date },
): Promise<void> {
  let query = tx.deleteFrom("knownDevice").where("personId", "=", personId);
  if (except !== undefined) query = query.where("hash", "<>", hashOf(except));
  if (since !== undefined) query = query.where("firstAt", ">", since);
  await query.execute();
}

/**
 * Records the alert and sends it: a notice, and a message whose link says « Ce n'était pas moi ». Within ten
 * minutes only the first is sent as a message: an intruder with the password could otherwise flood the
 * person.
 */
async function alertOf(deps: Deps, tx: Tx, visit: Visit): Promise<void> {
  const { personId, sessionId, origin, at } = visit;
  const { id: alertId, path } = await openAlert(tx, {
    personId,
    sessionId,
    at,
    address: origin.address,
    agent: origin.agent,
    expiresAt: new Date(at.getTime() + limits.alertDays * dayMs),
  });
  await audit(tx, {
    personId,
    action: "login.new_device",
    actor: "system",
    address: origin.address,
    details: { device: deviceOf(origin.agent) },
    at,
  });
  const { closed } = await attempt(tx, [alertMessages(personId)], at);
  await announceSecurity(tx, deps, {
    personId,
    channels: closed ? "portal" : "outside",
    title: "Connexion depuis un nouvel appareil",
    what: `Votre compte vient d'être ouvert depuis un appareil inconnu : ${deviceOf(origin.agent)}, le ${formatDateTime(at)}.`,
    advice:
      "Si ce n'était pas vous, déconnectez-le depuis «\u00a0Appareils\u00a0» et changez votre mot de passe.",
    mailAdvice: "Si c'était vous, il n'y a rien à faire.",
    action: { label: "Ce n'était pas moi", path },
    path: paths.devices,
    alertId,
  });
}
