// Logging in with a passkey: the browser finds it by itself, the device verifies its user.
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { signIn as limits } from "#contract/limits.ts";
import type { signIn } from "#contract/identity/sign-in.ts";
import { inTx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Origin } from "#server/http/caller.ts";
import type { Call } from "#server/http/serve.ts";
import { audit } from "./audit.ts";
import { knownBrowser } from "./devices.ts";
import { userOf } from "./identity.ts";
import { attempt, challengesFrom, tooMany } from "./limiter.ts";
import { countRightLogin, startSession } from "./session-start.ts";
import {
  advanceCounter,
  type StoredPasskey,
  passkeyOf,
  verifyAssertion,
} from "./passkey-assertion.ts";
import { keepChallenge, newChallenge, siteOf, takeChallenge } from "./passkey-site.ts";
import { announceSecurity } from "./security-notice.ts";

/** The challenge that a browser must sign to log in; it names nobody, so it discloses no account. */
export async function passkeyChallenge({
  deps,
  origin,
  request,
}: Call<typeof signIn.passkeyChallenge>): Promise<Output<typeof signIn.passkeyChallenge>> {
  const { rpID } = siteOf(deps, request);
  // Each try needs a challenge of its own: counting them counts the tries.
  const { closed } = await attempt(deps.db, challengesFrom(origin.address), deps.now());
  if (closed) throw tooMany(closed);
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
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
 * Opens a session with a passkey. An unknown one, a wrong signature, a device that did not verify its user, a
 * counter that went back, a closed account: all are `passkey_refused`. Refuses `passkey_expired` for a
 * challenge that is old or used.
 */
export async function passkeyLogin(
  call: Call<typeof signIn.passkeyLogin>,
): Promise<Output<typeof signIn.passkeyLogin>> {
  const { deps, origin, request } = call;
  const { response } = call.input;
  const site = siteOf(deps, request);
  const challenge = await takeChallenge(deps, response.response.clientDataJSON, null);
  const passkey = await passkeyOf(deps.db, response);
  const signed = passkey && (await verifyAssertion(response, challenge, site, passkey));
  if (!signed || (passkey.disabledAt && passkey.disabledWhy === null)) {
    deps.log.info({ address: origin.address, known: passkey !== null }, "passkey refused");
    throw new Problem("passkey_refused");
  }
  await countUse(deps, origin, passkey, signed);
  const { cardnumber } = await userOf(deps.db, passkey.personId, deps.now());
  // Without a card that was issued nobody logs in, by any means (spec.md 22).
  if (cardnumber === 0) throw new Problem("passkey_refused");
  const cookie = request.cookies?.[limits.deviceCookie];
  await countRightLogin(deps, passkey.personId, await knownBrowser(deps, cardnumber, cookie));
  return await startSession(call, {
    personId: passkey.personId,
    objectId: passkey.objectId,
    type: passkey.type,
    cardnumber,
    how: "passkey",
    failures: 0,
  });
}

/**
 * Records a use. A counter that did not increase shows that the passkey exists twice: it is refused, and the
 * person is told.
 */
async function countUse(
  deps: Deps,
  origin: Origin,
  { id, name, personId }: StoredPasskey,
  signed: { newCounter: number; credentialBackedUp: boolean },
): Promise<void> {
  if (await advanceCounter(deps, id, signed)) return;
  const at = deps.now();
  const { newCounter } = signed;
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
    await announceSecurity(tx, deps, {
      personId,
      title: "Clé d'accès refusée",
      changed: ["passkeys"],
      what: `La clé d'accès «\u00a0${name}\u00a0» semble exister en double : elle a été refusée.`,
      advice: "Supprimez-la depuis «\u00a0Connexion\u00a0», puis ajoutez-en une nouvelle.",
    });
  });
  throw new Problem("passkey_refused");
}
