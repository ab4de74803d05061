// The browsers that a person comes in from, known by a cookie that lasts, and the alert on a new one
// (docs/decisions/008). The database keeps a hash of the cookie, for each person apart.
import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import { signIn as limits } from "#contract/limits.ts";
import { formatDateTime } from "#contract/french.ts";
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
  /** The cookie that the browser brought. */
  carried: string | undefined;
  origin: Origin;
  at: Date;
}

/** What the database keeps of the cookie. */
export const hashOf = (cookie: string): Buffer => createHash("sha256").update(cookie).digest();

/**
 * Recognises the browser of a login, in the login's transaction, or makes it known and tells the person
 * of it; gives the cookie to set. The first browser of all is only made known: there is nobody to warn
 * before anyone has come in. What is no page of this very site keeps no cookie of ours: it gets none,
 * and is unknown each time.
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
  // A browser that several people share keeps its cookie; one that we never gave is not taken over.
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
 * A name for the browser of a call when it is known of the person who has the card, else null: known
 * browsers are counted apart, so that strangers who guess lock nobody out.
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

/** Since when a browser is known of a person; null when it is not. */
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
 * A browser that forgets its cookies would fill the table, and whoever knows the password would push the
 * owner's out: beside the one that comes in, those that came back on a later day stay longest.
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
 * Forgets the browsers of a person: all, all but the one that bears the cookie `except`, or those that
 * became known after `since`.
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
 * Writes the alert and tells it: a notice, and a message whose link says « Ce n'était pas moi ». Of those of
 * ten minutes the first alone leaves as a message: whoever knows the password would flood the person.
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
      "Si ce n'était pas vous, déconnectez-le depuis votre profil et changez votre mot de passe.",
    mailAdvice: "Si c'était vous, il n'y a rien à faire.",
    action: { label: "Ce n'était pas moi", path },
    alertId,
  });
}
