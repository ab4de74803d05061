// One's passkeys: making, naming, removing one (docs/decisions/008).
import { randomUUID } from "node:crypto";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber } from "#contract/french.ts";
import { signIn as limits } from "#contract/limits.ts";
import type { Attestation, Passkey, signIn } from "#contract/identity/sign-in.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import type { Call } from "#server/http/serve.ts";
import { deviceOf } from "./device-words.ts";
import { auditAct } from "./audit.ts";
import { requireOpenSession } from "./session-end.ts";
import { requireCode } from "./step-up.ts";
import { attempt, challengesFrom, tooMany } from "./limiter.ts";
import {
  handleOf,
  keepChallenge,
  newChallenge,
  type Site,
  siteOf,
  takeChallenge,
} from "./passkey-site.ts";
import { announceSecurity } from "./security-notice.ts";

const viewColumns = ["id", "name", "createdAt", "lastUsedAt", "synced"] as const;

interface PasskeyRow {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  synced: boolean;
}

const toPasskeyView = ({ id, name, createdAt, lastUsedAt, synced }: PasskeyRow): Passkey => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  synced,
});

/** One's passkeys, the latest first. */
export async function passkeys({
  deps,
  caller,
}: Call<typeof signIn.passkeys>): Promise<Output<typeof signIn.passkeys>> {
  const rows = await deps.db
    .selectFrom("passkey")
    .select(viewColumns)
    .where("personId", "=", caller.personId)
    .orderBy("createdAt", "desc")
    .orderBy("id")
    .execute();
  return { items: rows.map(toPasskeyView) };
}

const registeredPasskeys = (db: Db, personId: number) =>
  db
    .selectFrom("passkey")
    .select(["credentialId", "transports"])
    .where("personId", "=", personId)
    .execute();

/**
 * The options with which the browser makes a passkey, once a code approved it (spec.md 14): the approval is
 * carried by the challenge, which only this session can answer, once, within five minutes. Refuses
 * `passkey_limit` and `passkeys_unavailable` before any code is sent.
 */
export async function passkeyOptions({
  deps,
  caller,
  input,
  origin,
  request,
}: Call<typeof signIn.passkeyOptions>): Promise<Output<typeof signIn.passkeyOptions>> {
  const site = siteOf(deps, request);
  const { closed } = await attempt(deps.db, challengesFrom(origin.address), deps.now());
  if (closed) throw tooMany(closed);
  const present = await registeredPasskeys(deps.db, caller.personId);
  if (present.length >= limits.passkeys) {
    throw new Problem("passkey_limit", { max: limits.passkeys });
  }
  const used = await requireCode(deps, caller, {
    purpose: "passkey",
    binding: "add",
    what: "ajouter une clé d'accès",
    withPassword: true,
    ...input,
  });
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const options = await generateRegistrationOptions({
    rpName: "Ma carte",
    rpID: site.rpID,
    userID: handleOf(caller.objectId),
    userName: `Carte ${formatCardnumber(caller.cardnumber)}`,
    userDisplayName: caller.name,
    challenge: newChallenge(),
    timeout: limits.challengeSeconds * 1000,
    attestationType: "none",
    excludeCredentials: present.map(({ credentialId, transports }) => ({
      id: credentialId.toString("base64url"),
      transports,
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await inTx(deps.db, async (tx) => {
    await used(tx);
    await keepChallenge(tx, options.challenge, caller, deps.now());
  });
  return { options: { ...options } };
}

/**
 * Stores the passkey that the browser made. Refuses `passkey_expired` for a challenge that is old, used or
 * another session's, `passkey_refused` for an answer that does not verify (another site, no user verification
 * by the device), `passkey_known`, `passkey_limit`.
 */
export async function addPasskey({
  deps,
  caller,
  input,
  origin,
  request,
}: Call<typeof signIn.addPasskey>): Promise<Passkey> {
  const { response } = input;
  const site = siteOf(deps, request);
  const challenge = await takeChallenge(deps, response.response.clientDataJSON, caller);
  const made = await verify(response, challenge, site);
  if (!made) {
    deps.log.info({ personId: caller.personId }, "passkey refused at its making");
    throw new Problem("passkey_refused");
  }
  const row = {
    id: randomUUID(),
    personId: caller.personId,
    credentialId: Buffer.from(made.credential.id, "base64url"),
    publicKey: Buffer.from(made.credential.publicKey),
    counter: made.credential.counter,
    transports: response.response.transports ?? [],
    synced: made.credentialBackedUp,
    name: input.name?.trim() ?? deviceOf(origin.agent),
    createdAt: deps.now(),
    lastUsedAt: null,
    sessionId: caller.sessionId,
  };
  await inTx(deps.db, async (tx) => {
    // Locks the person: of two passkeys made at once, the second waits and is counted with the first.
    await requireOpenSession(tx, caller);
    await requirePasskeyLimit(tx, caller.personId);
    await tx.insertInto("passkey").values(row).execute();
    await auditAct(tx, { caller, origin }, "passkey.add", {
      details: { name: row.name },
      at: row.createdAt,
    });
    await announceSecurity(tx, deps, {
      personId: caller.personId,
      title: "Clé d'accès ajoutée",
      changed: ["passkeys"],
      what: `La clé d'accès «\u00a0${row.name}\u00a0» ouvre maintenant votre compte.`,
    });
  });
  return toPasskeyView(row);
}

async function requirePasskeyLimit(tx: Tx, personId: number): Promise<void> {
  const present = await registeredPasskeys(tx, personId);
  if (present.length >= limits.passkeys) {
    throw new Problem("passkey_limit", { max: limits.passkeys });
  }
}

async function verify(response: Attestation, expectedChallenge: string, site: Site) {
  const { transports = [], ...signed } = response.response;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  try {
    const outcome = await verifyRegistrationResponse({
      response: {
        ...response,
        response: { ...signed, transports },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      requireUserVerification: true,
    });
    return outcome.verified ? outcome.registrationInfo : null;
  } catch {
    // The library throws for any invalid answer: it all means the same to the person.
    return null;
  }
}

/** Gives a passkey another name; `not_found` when it is not one's own. */
export async function renamePasskey({
  deps,
  caller,
  input,
  origin,
}: Call<typeof signIn.renamePasskey>): Promise<Passkey> {
  const at = deps.now();
  return await inTx(deps.db, async (tx) => {
    const row = await tx
      .updateTable("passkey")
      .set({ name: input.name.trim() })
      .where("id", "=", input.id)
      .where("personId", "=", caller.personId)
      .returning(viewColumns)
      .executeTakeFirst();
    if (!row) throw new Problem("not_found");
    await auditAct(tx, { caller, origin }, "passkey.rename", { details: { name: row.name }, at });
    return toPasskeyView(row);
  });
}

/** Removes a passkey, approved by a code (spec.md 14); `not_found` when it is not one's own. */
export async function removePasskey({
  deps,
  caller,
  input: { id, ...proof },
  origin,
}: Call<typeof signIn.removePasskey>): Promise<Output<typeof signIn.removePasskey>> {
  const { personId } = caller;
  const own = await deps.db
    .selectFrom("passkey")
    .select("name")
    .where("id", "=", id)
    .where("personId", "=", personId)
    .executeTakeFirst();
  if (!own) throw new Problem("not_found");
  const used = await requireCode(deps, caller, {
    purpose: "passkey_remove",
    binding: id,
    what: `supprimer la clé d'accès «\u00a0${own.name}\u00a0»`,
    withPassword: true,
    ...proof,
  });
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    await used(tx);
    const gone = await tx
      .deleteFrom("passkey")
      .where("id", "=", id)
      .where("personId", "=", personId)
      .executeTakeFirst();
    if (gone.numDeletedRows === 0n) throw new Problem("not_found");
    await auditAct(tx, { caller, origin }, "passkey.remove", { details: { name: own.name }, at });
    await announceSecurity(tx, deps, {
      personId,
      title: "Clé d'accès supprimée",
      changed: ["passkeys"],
      what: `La clé d'accès «\u00a0${own.name}\u00a0» n'ouvre plus votre compte.`,
    });
  });
  return { message: `La clé d'accès «\u00a0${own.name}\u00a0» est supprimée.` };
}
