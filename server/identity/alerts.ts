// « Ce n'était pas moi »: the link of an alert on a login or on a new address, its page, and its effect once
// it is confirmed.
import { randomUUID, timingSafeEqual } from "node:crypto";
import { Problem } from "#contract/errors.ts";
import type { Output } from "#contract/endpoint.ts";
import type { signIn } from "#contract/identity/sign-in.ts";
import { paths } from "#contract/paths.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import type { Origin } from "#server/http/caller.ts";
import type { Call } from "#server/http/serve.ts";
import type { Deps } from "#server/process/deps.ts";
import { sendLetter } from "#server/notifications/notifications.ts";
import { voidCodes } from "./codes.ts";
import { takeBackContacts } from "./contact-undo.ts";
import { deviceOf } from "./device-words.ts";
import { audit } from "./audit.ts";
import { endSessions } from "./session-end.ts";
import { keysOf, seal } from "./keys.ts";
import { announceSecurity, unlessYou } from "./security-notice.ts";

/** A login, or the session of a changed address, that its person denied; it began at `since`. */
export interface LoginDenied {
  personId: number;
  since: Date;
  address: string;
  at: Date;
}

/** Steps of later rooms when a person denies a login, in its transaction: they end what the login created. */
export const onLoginDenied: ((tx: Tx, deps: Deps, denied: LoginDenied) => Promise<void>)[] = [];

const page = paths.denyLogin;

const sealOf = async (db: Db, name: Buffer): Promise<Buffer> =>
  seal(await keysOf(db), "login alert", name.toString("hex"));

/** Path of the link. The secret is in the fragment, which is sent to no server and logged nowhere. */
async function alertPath(db: Db, id: string): Promise<string> {
  const name = Buffer.from(id.replaceAll("-", ""), "hex");
  const token = Buffer.concat([name, await sealOf(db, name)]).toString("base64url");
  return `${page}#${token}`;
}

/** The id in a token; refuses `alert_over` when the token is not ours. */
async function idOf(db: Db, token: string): Promise<string> {
  const bytes = Buffer.from(token, "base64url");
  const name = bytes.subarray(0, 16);
  const seals = bytes.subarray(16);
  const expected = await sealOf(db, name);
  if (seals.length !== expected.length || !timingSafeEqual(seals, expected)) {
    throw new Problem("alert_over");
  }
  return name.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Subject of an alert; `expiresAt` is when its link ends. */
interface NewAlert {
  personId: number;
  sessionId: string;
  at: Date;
  address: string;
  agent: string;
  expiresAt: Date;
  contactChangeId?: string;
}

/** Records an alert and returns its id with the path of its link. */
export async function openAlert(tx: Tx, alert: NewAlert): Promise<{ id: string; path: string }> {
  const id = randomUUID();
  await tx
    .insertInto("loginAlert")
    .values({
      id,
      personId: alert.personId,
      sessionId: alert.sessionId,
      at: alert.at,
      address: alert.address,
      agent: alert.agent,
      contactChangeId: alert.contactChangeId ?? null,
      expiresAt: alert.expiresAt,
      usedAt: null,
      confirmedAt: null,
    })
    .execute();
  return { id, path: await alertPath(tx, id) };
}

/**
 * Voids a person's open links: the account was secured after them. With `since`, only those of later logins;
 * the links of changed addresses, which end within 72 hours, then stay.
 */
export async function voidAlerts(tx: Tx, personId: number, at: Date, since?: Date): Promise<void> {
  let query = tx
    .updateTable("loginAlert")
    .set({ usedAt: at })
    .where("personId", "=", personId)
    .where("usedAt", "is", null);
  if (since !== undefined)
    query = query.where("at", ">", since).where("contactChangeId", "is", null);
  await query.execute();
}

/** The subject of the link. Refuses `alert_over` when it was used, is expired, voided or not ours. */
export async function readAlert({
  deps,
  input,
}: Call<typeof signIn.readAlert>): Promise<Output<typeof signIn.readAlert>> {
  const alert = await deps.db
    .selectFrom("loginAlert as a")
    .leftJoin("contactChange as c", "c.id", "a.contactChangeId")
    .select(["a.agent", "a.address", "a.at", "c.channel"])
    .where("a.id", "=", await idOf(deps.db, input.token))
    .where("a.usedAt", "is", null)
    .where("a.expiresAt", ">", deps.now())
    .executeTakeFirst();
  if (!alert) throw new Problem("alert_over");
  const { channel, address, at } = alert;
  return {
    about: channel ?? "login",
    device: deviceOf(alert.agent),
    address,
    at: at.toISOString(),
  };
}

/**
 * Ends every session and admits nobody before a new password is chosen with a code. Removes what the alerted
 * session created: its passkeys and recovery codes, pending codes, and the addresses that it changed within
 * 72 hours; changes by other sessions stay. The link of an address's change restores the former one whatever
 * came after. The removed and the restored addresses are told. Works once.
 */
export async function denyLogin({
  deps,
  input,
  origin,
}: Call<typeof signIn.denyLogin>): Promise<Output<typeof signIn.denyLogin>> {
  const id = await idOf(deps.db, input.token);
  return await inTx(deps.db, (tx) => deny(tx, deps, id, origin));
}

/** The effect of the link of alert `id`; refuses `alert_over`. The caller proves the right to it. */
export async function deny(
  tx: Tx,
  deps: Deps,
  id: string,
  origin: Origin,
): Promise<{ message: string }> {
  const at = deps.now();
  const alert = await tx
    .updateTable("loginAlert")
    .set({ usedAt: at })
    .where("id", "=", id)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .returningAll()
    .executeTakeFirst();
  if (!alert) throw new Problem("alert_over");
  const { personId } = alert;
  // Before the sessions end: a login under way waits here, then finds the account locked.
  await tx.updateTable("person").set({ lockedAt: at }).where("id", "=", personId).execute();
  const left = await takeBackContacts(tx, {
    personId,
    sessionId: alert.sessionId,
    changeId: alert.contactChangeId,
    at,
  });
  await takeBackProofs(tx, personId, alert.sessionId);
  for (const purpose of ["forgot", "email", "phone"] as const) {
    await voidCodes(tx, personId, purpose, at);
  }
  const since = await beginningOf(tx, alert);
  const { address } = origin;
  for (const step of onLoginDenied) await step(tx, deps, { personId, since, address, at });
  await endSessions(tx, personId, { why: "denied", at });
  await audit(tx, {
    personId,
    action: "login.denied",
    actor: "person",
    address,
    details: { device: deviceOf(alert.agent), contactsRestored: left.length },
    at,
  });
  const title = "Connexion signalée";
  const what = "Vous avez signalé une connexion : toutes vos sessions sont fermées.";
  await announceSecurity(tx, deps, {
    personId,
    title,
    what,
    advice: "Choisissez un nouveau mot de passe depuis «\u00a0Mot de passe oublié\u202f?\u00a0».",
  });
  // To the removed addresses: the notice itself goes to the restored ones.
  const letter = { subject: `${title} sur Ma carte`, body: what, note: unlessYou };
  for (const contact of left) await sendLetter(tx, deps, contact, letter, { personId });
  return {
    message: "Toutes les connexions sont fermées. Choisissez maintenant un nouveau mot de passe.",
  };
}

/** Start of the session: one that changed an address began before the alert on that change. */
async function beginningOf(tx: Tx, alert: { sessionId: string; at: Date }): Promise<Date> {
  const session = await tx
    .selectFrom("session")
    .select("createdAt")
    .where("id", "=", alert.sessionId)
    .executeTakeFirst();
  return session?.createdAt ?? alert.at;
}

async function takeBackProofs(tx: Tx, personId: number, sessionId: string): Promise<void> {
  for (const table of ["passkey", "recoveryCode"] as const) {
    await tx
      .deleteFrom(table)
      .where("personId", "=", personId)
      .where("sessionId", "=", sessionId)
      .execute();
  }
  await tx.deleteFrom("knownDevice").where("personId", "=", personId).execute();
}
