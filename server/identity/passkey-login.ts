// Logging in with a passkey: the browser finds it by itself, the device checks who holds it.
import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { signIn as limits } from "#contract/limits.ts";
import type { Assertion, signIn } from "#contract/sign-in.ts";
import { inTx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Origin } from "#server/http/caller.ts";
import type { Call } from "#server/http/serve.ts";
import { audit, userOf } from "./identity.ts";
import { attempt, challengesFrom, tooMany } from "./limiter.ts";
import { openFor } from "./opening.ts";
import {
  handleOf,
  keepChallenge,
  newChallenge,
  type Site,
  siteOf,
  takeChallenge,
} from "./passkey-site.ts";
import { tellSecurity } from "./tell.ts";

/** What a browser must sign to log in; nobody is named, so nothing is told of who exists. */
export async function passkeyChallenge({
  deps,
  origin,
  request,
}: Call<typeof signIn.passkeyChallenge>): Promise<Output<typeof signIn.passkeyChallenge>> {
  const { rpID } = siteOf(deps, request);
  // Each try needs a challenge of its own: counting them counts the tries.
  const { closed } = await attempt(deps.db, [challengesFrom(origin.address)], deps.now());
  if (closed) throw tooMany(closed);
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: newChallenge(),
    timeout: limits.challengeSeconds * 1000,
    userVerification: "required",
  });
  await keepChallenge(deps.db, options.challenge, null, deps.now());
  return { options: { ...options } };
}

/**
 * Opens a session with a passkey. An unknown one, a wrong signature, a device that did not check its
 * holder, a counter that went back, a disabled account: all are `passkey_refused`. Refuses
 * `passkey_expired` for a challenge that is old or used.
 */
export async function passkeyLogin(
  call: Call<typeof signIn.passkeyLogin>,
): Promise<Output<typeof signIn.passkeyLogin>> {
  const { deps, origin, request } = call;
  const { response } = call.input;
  const site = siteOf(deps, request);
  const challenge = await takeChallenge(deps, response.response.clientDataJSON, null);
  const passkey = await passkeyOf(deps, response);
  const signed = passkey && (await verify(response, challenge, site, passkey));
  if (!signed || passkey.disabled_at) {
    deps.log.info({ address: origin.address, known: passkey !== null }, "passkey refused");
    throw new Problem("passkey_refused");
  }
  await countUse(deps, origin, passkey, signed);
  const { cardnumber } = await userOf(deps.db, passkey.person_id, deps.now());
  // Without a card that was issued nobody logs in, by whatever means (décision 22).
  if (cardnumber === 0) throw new Problem("passkey_refused");
  return await openFor(call, {
    personId: passkey.person_id,
    objectId: passkey.object_id,
    type: passkey.type,
    cardnumber,
    how: "passkey",
    failures: 0,
  });
}

type Kept = NonNullable<Awaited<ReturnType<typeof passkeyOf>>>;

async function passkeyOf(deps: Deps, response: Assertion) {
  const row = await deps.db
    .selectFrom("passkey as k")
    .innerJoin("person as p", "p.id", "k.person_id")
    .select(["k.id", "k.name", "k.credential_id", "k.public_key", "k.transports", "k.person_id"])
    .select(["p.object_id", "p.type", "p.disabled_at"])
    .where("k.credential_id", "=", Buffer.from(response.id, "base64url"))
    .executeTakeFirst();
  if (!row) return null;
  const handle = response.response.userHandle;
  const same = handle === undefined || handle === base64url(handleOf(row.object_id));
  return same ? row : null;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

async function verify(response: Assertion, expectedChallenge: string, site: Site, kept: Kept) {
  try {
    const { userHandle, ...signed } = response.response;
    const outcome = await verifyAuthenticationResponse({
      response: {
        ...response,
        response: { ...signed, ...(userHandle !== undefined && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      requireUserVerification: true,
      credential: {
        id: kept.credential_id.toString("base64url"),
        publicKey: new Uint8Array(kept.public_key),
        // Ours to judge, once the signature is known to be right: the library would look at it first,
        // and anyone could then pretend that a passkey was copied.
        counter: 0,
        transports: kept.transports,
      },
    });
    return outcome.verified ? outcome.authenticationInfo : null;
  } catch {
    return null;
  }
}

/**
 * Writes down a use. A counter that did not go on says that the passkey exists twice: it is refused,
 * and the person is told. Of two uses at once with one count, one is refused.
 */
async function countUse(
  deps: Deps,
  origin: Origin,
  { id, name, person_id: personId }: Kept,
  { newCounter, credentialBackedUp }: { newCounter: number; credentialBackedUp: boolean },
): Promise<void> {
  const at = deps.now();
  const { numUpdatedRows } = await deps.db
    .updateTable("passkey")
    .set({ counter: newCounter, synced: credentialBackedUp, last_used_at: at })
    .where("id", "=", id)
    .where(sql<boolean>`(counter < ${newCounter} or (counter = 0 and ${newCounter} = 0))`)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  deps.log.warn({ personId, passkey: id, newCounter }, "passkey counter went back");
  await inTx(deps.db, async (tx) => {
    await audit(tx, {
      personId,
      action: "passkey.counter",
      actor: "system",
      address: origin.address,
      details: { name },
      at,
    });
    await tellSecurity(deps, tx, {
      personId,
      title: "Clé d'accès refusée",
      what: `La clé d'accès « ${name} » semble exister en double : elle a été refusée.`,
      advice: "Supprimez-la depuis votre profil, puis ajoutez-en une nouvelle.",
    });
  });
  throw new Problem("passkey_refused");
}
