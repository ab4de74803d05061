// Choosing a password: the forced first one, a change, and a reset after it was forgotten.
import { setTimeout as sleep } from "node:timers/promises";
import { Problem, type ProblemCode } from "#contract/errors.ts";
import type { Output } from "#contract/endpoint.ts";
import { codes, signIn } from "#contract/limits.ts";
import type { identity } from "#contract/identity/rows.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Call } from "#server/http/serve.ts";
import { carries } from "#server/notifications/notifications.ts";
import { voidAlerts } from "./alerts.ts";
import { consume, countSend, issueCode, tryCode, voidCodes } from "./codes.ts";
import { forgetDevices, knownBrowser, knownSince } from "./devices.ts";
import { channelsOf, maskAddress, noChannel } from "./contacts.ts";
import { announceSecurity } from "./security-notice.ts";
import { audit } from "./audit.ts";
import { contactsOf, personByCard, userOf } from "./identity.ts";
import { endSessions, requireOpenSession } from "./session-end.ts";
import {
  alertMessages,
  attempt,
  choicesOf,
  forget,
  forgottenFrom,
  perCard,
  tooMany,
} from "./limiter.ts";
import { readPasswordHash, requirePassword } from "./own-password.ts";
import {
  hashPassword,
  isPassword,
  onPasswordChosen,
  type PasswordChosen,
  shareOfPerson,
  withPlaceInQueue,
} from "./passwords.ts";
import { requireStrongPassword } from "./strength.ts";
import { offerTour } from "./tour.ts";

/** Longer than the work takes, so that the time does not disclose whether the card exists. */
const forgotFloorMs = 120;

/**
 * Sends a code to the address on file, which the answer does not show, not even masked: a made-up one for an
 * unknown card would somehow differ from a real one. A card unknown, disabled, never signed in with or
 * without a trusted channel gets the same answer, the same limits, the same time (spec.md 20). Refuses
 * `no_channel` to everyone where the installation can send no message at all.
 */
export async function forgot(
  call: Call<typeof identity.forgot>,
): Promise<Output<typeof identity.forgot>> {
  const floor = sleep(forgotFloorMs);
  try {
    return await sendForgotCode(call);
  } finally {
    await floor;
  }
}

async function sendForgotCode({ deps, input, origin, request }: Call<typeof identity.forgot>) {
  if (!carries(deps.config, "email") && !carries(deps.config, "sms")) throw noChannel(deps.config);
  // Strangers who use up the codes of a card do not block its person's own browsers.
  const browser = await knownBrowser(deps, input.login, request.cookies?.[signIn.deviceCookie]);
  if (browser === null) {
    const { closed } = await attempt(deps.db, forgottenFrom(origin.address), deps.now());
    if (closed) throw tooMany(closed);
  }
  const key = `code:forgot:${browser ?? input.login}`;
  await countSend(deps, key);
  const holder = await personByCard(deps.db, input.login);
  // A new address receives no code for a password, nor does any before the first sign-in, for which the
  // printed secret was handed over: somebody else may have typed it (spec.md 29).
  const to =
    holder && !holder.disabled && !holder.secretOnly
      ? ((await channelsOf(deps, holder.personId)).trusted[0] ?? null)
      : null;
  const { challenge, expiresAt } = await inTx(deps.db, (tx) =>
    issueCode(deps, tx, {
      purpose: "forgot",
      binding: null,
      personId: to && holder ? holder.personId : null,
      key,
      to,
      sentTo: to ? maskAddress(to) : "",
      what: "choisir un nouveau mot de passe",
    }),
  );
  return { challenge, expiresAt: expiresAt.toISOString() };
}

/** Chooses a new password with the code received; ends every session and the lock on the card. */
export async function forgotReset({
  deps,
  input,
  origin,
  request,
}: Call<typeof identity.forgotReset>): Promise<Output<typeof identity.forgotReset>> {
  const { challenge, code } = input;
  return await withPlaceInQueue({ key: challenge, max: codes.tries }, async () => {
    // A weak choice is refused before the code is tried: it costs no try, and discloses nothing of the code.
    await requireStrongPassword(input.password);
    const personId = await tryCode(deps, { purpose: "forgot", binding: null, challenge, code });
    if (personId === null) throw new Problem("code_expired");
    await requireStrongPasswordOf(deps, personId, input.password);
    const hash = await hashPassword(input.password, personId);
    const numbers = await inTx(deps.db, async (tx) => {
      await consume(tx, challenge, deps.now());
      const carried = request.cookies?.[signIn.deviceCookie];
      await keep(deps, tx, { personId, hash, how: "forgot", address: origin.address, carried });
      return await cardnumbersOf(tx, personId);
    });
    await unlockCards(deps.db, numbers);
    return { message: "Votre mot de passe est changé. Vous pouvez vous connecter." };
  });
}

/** A new password ends the waits that wrong ones caused. */
export async function unlockCards(db: Deps["db"], numbers: number[]): Promise<void> {
  for (const number of numbers) await forget(db, perCard(number));
}

/** Chooses the first password of one's own in place of the printed secret (spec §4, isReset). */
export async function resetPassword({
  deps,
  caller,
  input,
  origin,
}: Call<typeof identity.resetPassword>): Promise<Output<typeof identity.resetPassword>> {
  const { personId } = caller;
  await requireStrongPasswordOf(deps, personId, input.password);
  await countChoice(deps, caller);
  return await withPlaceInQueue(shareOfPerson(personId), async () => {
    const current = await readPasswordHash(deps.db, personId);
    await requireOtherPassword(personId, current, input.password);
    const hash = await hashPassword(input.password, personId);
    const tour = await inTx(deps.db, async (tx) => {
      await requireStillProved(tx, caller, { current, otherwise: "reset_not_pending" });
      const isOffered = await offerTour(tx, personId);
      const { address } = origin;
      await keep(deps, tx, { personId, hash, how: "reset", address, except: caller.sessionId });
      return isOffered;
    });
    return {
      message: "Votre mot de passe est choisi.",
      data: await userOf(deps.db, personId, deps.now()),
      tour,
    };
  });
}

/**
 * Changes the password; the other sessions end. Failed tries of the current one climb a ladder of their own.
 */
export async function changePassword({
  deps,
  caller,
  input,
  origin,
  request,
}: Call<typeof identity.changePassword>): Promise<Output<typeof identity.changePassword>> {
  const { personId, sessionId } = caller;
  await countChoice(deps, caller);
  return await withPlaceInQueue(shareOfPerson(personId), async () => {
    const current = await requirePassword(deps, caller, input.current);
    await requireStrongPasswordOf(deps, personId, input.password);
    await requireOtherPassword(personId, current, input.password);
    const hash = await hashPassword(input.password, personId);
    await inTx(deps.db, async (tx) => {
      await requireStillProved(tx, caller, { current, otherwise: "wrong_password" });
      await keep(deps, tx, {
        personId,
        hash,
        how: "change",
        address: origin.address,
        except: sessionId,
        carried: request.cookies?.[signIn.deviceCookie],
      });
    });
    return { message: "Votre mot de passe est changé. Vos autres sessions sont fermées." };
  });
}

/**
 * The hashing took time: refuses `session_ended` to a session that ended meanwhile, and `otherwise` where the
 * stored password is no longer the one that was compared. Locks the person.
 */
async function requireStillProved(
  tx: Tx,
  caller: Caller,
  { current, otherwise }: { current: string | null; otherwise: ProblemCode },
): Promise<void> {
  await requireOpenSession(tx, caller);
  if ((await readPasswordHash(tx, caller.personId)) !== current) throw new Problem(otherwise);
}

interface Choice {
  personId: number;
  hash: string;
  how: PasswordChosen["how"];
  address: string;
  /** The session that stays open. */
  except?: string;
  /** The device cookie that the browser sent. */
  carried?: string | undefined;
}

/**
 * Writes a new password and its consequences. One chosen with a code or a recovery code reopens an account
 * that a denied login had locked; no other does.
 */
export async function keep(
  deps: Deps,
  tx: Tx,
  { personId, hash, how, address, except, carried }: Choice,
) {
  const at = deps.now();
  const isProvedAgain = how === "forgot" || how === "recovery";
  await tx
    .updateTable("person")
    .set({ passwordHash: hash, passwordChangedAt: at, mustReset: false })
    .$if(isProvedAgain, (person) => person.set({ lockedAt: null }))
    .where("id", "=", personId)
    .execute();
  await endSessions(tx, personId, { except, why: "password", at });
  await voidCodes(tx, personId, "forgot", at);
  // The account is secured: older links have no effect any more, and the browsers that logged in with the
  // former password are unknown again. Somebody who knows the current password may be the intruder of an
  // alert: their browser voids and deletes only what came after it was known.
  if (isProvedAgain) {
    await voidAlerts(tx, personId, at);
    await forgetDevices(tx, personId, { except: carried });
    // The next unknown browser causes a message at once, even after recent ones.
    await forget(tx, alertMessages(personId));
  }
  if (how === "change" && carried !== undefined) {
    const since = await knownSince(tx, personId, carried);
    if (since !== null) {
      await voidAlerts(tx, personId, at, since);
      await forgetDevices(tx, personId, { since });
    }
  }
  await audit(tx, { personId, action: `password.${how}`, actor: "person", address, at });
  for (const step of onPasswordChosen) await step(tx, deps, { personId, how, address, at });
  await announceSecurity(tx, deps, {
    personId,
    title: "Votre mot de passe a été changé",
    what: "Le mot de passe de votre compte Ma carte vient d'être changé.",
  });
}

async function requireOtherPassword(
  personId: number,
  current: string | null,
  password: string,
): Promise<void> {
  if (await isPassword(current, password, personId)) throw new Problem("password_unchanged");
}

/** Counted for each session apart: an intruder in another session keeps nobody from changing the password. */
async function countChoice(deps: Deps, { sessionId }: Caller): Promise<void> {
  const { closed } = await attempt(deps.db, [choicesOf(sessionId)], deps.now());
  if (closed) throw tooMany(closed);
}

/** Refuses a password that is too easy to guess for this person. */
export async function requireStrongPasswordOf(
  deps: Deps,
  personId: number,
  password: string,
): Promise<void> {
  const person = await contactsOf(deps.db, personId);
  const cardnumbers = await cardnumbersOf(deps.db, personId);
  await requireStrongPassword(password, { ...person, cardnumbers }, personId);
}

/** The numbers of all of a person's cards. */
export async function cardnumbersOf(db: Deps["db"], personId: number): Promise<number[]> {
  const rows = await db
    .selectFrom("card")
    .select("number")
    .where("personId", "=", personId)
    .execute();
  return rows.map((row) => row.number);
}
