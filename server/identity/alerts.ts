// « Ce n'était pas moi »: the link of an alert, what it shows, and what it does once it is confirmed.
import { timingSafeEqual } from "node:crypto";
import { Problem } from "#contract/errors.ts";
import type { Output } from "#contract/endpoint.ts";
import type { signIn } from "#contract/sign-in.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import type { Call } from "#server/http/serve.ts";
import { voidCodes } from "./codes.ts";
import { deviceOf } from "./device-words.ts";
import { audit, endSessions } from "./identity.ts";
import { keysOf, seal } from "./keys.ts";
import { tellSecurity } from "./tell.ts";

const page = "/securite/pas-moi";

const sealOf = async (db: Db, name: Buffer): Promise<Buffer> =>
  seal(await keysOf(db), "login alert", name.toString("hex"));

/** Where the link leads. The secret is in the fragment, that no server and no log is sent. */
export async function alertPath(db: Db, id: string): Promise<string> {
  const name = Buffer.from(id.replaceAll("-", ""), "hex");
  const token = Buffer.concat([name, await sealOf(db, name)]).toString("base64url");
  return `${page}#${token}`;
}

/** The id that a token names; refuses `alert_over` when it is not ours. */
async function idOf(db: Db, token: string): Promise<string> {
  const bytes = Buffer.from(token, "base64url");
  const name = bytes.subarray(0, 16);
  const seals = bytes.subarray(16);
  const wanted = await sealOf(db, name);
  if (seals.length !== wanted.length || !timingSafeEqual(seals, wanted)) {
    throw new Problem("alert_over");
  }
  return name.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The login that the link is about. Refuses `alert_over` when it served, is old or is not ours. */
export async function readAlert({
  deps,
  input,
}: Call<typeof signIn.readAlert>): Promise<Output<typeof signIn.readAlert>> {
  const alert = await deps.db
    .selectFrom("login_alert")
    .select(["agent", "address", "at"])
    .where("id", "=", await idOf(deps.db, input.token))
    .where("used_at", "is", null)
    .where("expires_at", ">", deps.now())
    .executeTakeFirst();
  if (!alert) throw new Problem("alert_over");
  return { device: deviceOf(alert.agent), address: alert.address, at: alert.at.toISOString() };
}

/**
 * Ends every session and lets nobody in before a new password is chosen with a code. What whoever came
 * in may have left behind goes too: passkeys and recovery codes made since, known browsers, codes on
 * their way; contacts changed since are put back, so that the code goes to the person. Once.
 */
export async function denyLogin({
  deps,
  input,
  origin,
}: Call<typeof signIn.denyLogin>): Promise<Output<typeof signIn.denyLogin>> {
  const id = await idOf(deps.db, input.token);
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    const alert = await tx
      .updateTable("login_alert")
      .set({ used_at: at })
      .where("id", "=", id)
      .where("used_at", "is", null)
      .where("expires_at", ">", at)
      .returningAll()
      .executeTakeFirst();
    if (!alert) throw new Problem("alert_over");
    const { person_id: personId, email, phonenumber } = alert;
    // Before the sessions end: a login under way waits here, then finds the account closed.
    await tx
      .updateTable("person")
      .set({ locked_at: at, email, phonenumber })
      .where("id", "=", personId)
      .execute();
    await takeBack(tx, personId, alert.at);
    for (const purpose of ["forgot", "email", "phone"] as const) {
      await voidCodes(tx, personId, purpose, at);
    }
    await endSessions(tx, personId, { why: "denied", at });
    await audit(tx, {
      personId,
      action: "login.denied",
      actor: "person",
      address: origin.address,
      details: { device: deviceOf(alert.agent) },
      at,
    });
    await tellSecurity(deps, tx, {
      personId,
      title: "Connexion signalée",
      what: "Vous avez signalé une connexion : toutes vos sessions sont fermées.",
      advice: "Choisissez un nouveau mot de passe depuis « Mot de passe oublié ? ».",
    });
  });
  return {
    message: "Toutes les connexions sont fermées. Choisissez maintenant un nouveau mot de passe.",
  };
}

async function takeBack(tx: Tx, personId: number, since: Date): Promise<void> {
  await tx
    .deleteFrom("passkey")
    .where("person_id", "=", personId)
    .where("created_at", ">=", since)
    .execute();
  await tx
    .deleteFrom("recovery_code")
    .where("person_id", "=", personId)
    .where("made_at", ">=", since)
    .execute();
  await tx.deleteFrom("known_device").where("person_id", "=", personId).execute();
}
