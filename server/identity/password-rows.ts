// Choosing a password: the forced first one, a change, and the way back for who forgot it.
import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "#contract/errors.ts";
import type { Output } from "#contract/endpoint.ts";
import type { identity } from "#contract/identity.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Call } from "#server/http/serve.ts";
import { notify } from "#server/notifications/notifications.ts";
import { consume, countSend, issueCode, tryCode, voidCodes } from "./codes.ts";
import { carries, decoyFor, masked, noChannel, onFile } from "./contacts.ts";
import { audit, contactsOf, endSessions, personByCard, userOf } from "./identity.ts";
import { keysOf } from "./keys.ts";
import { attempt, forget, forgottenFrom, perCard, perPassword, tooMany } from "./limiter.ts";
import { hashPassword, isPassword, withPlaceInQueue } from "./passwords.ts";
import { judge } from "./strength.ts";

/** Longer than the work takes, so that the time tells nothing of whether the card exists. */
const forgotFloorMs = 120;

/**
 * Sends a code to the address on file and shows it masked. A card unknown, disabled or without any
 * contact gets a decoy: the same words, the same limits, the same time (decision 20). Refuses
 * `no_channel` to everyone where the installation can carry no message at all.
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

async function sendForgotCode({ deps, input, origin }: Call<typeof identity.forgot>) {
  if (!carries(deps.config, "email") && !carries(deps.config, "sms")) throw noChannel(deps.config);
  const { closed } = await attempt(deps.db, [forgottenFrom(origin.address)], deps.now());
  if (closed) throw tooMany(closed);
  const key = `code:forgot:${input.login}`;
  await countSend(deps, key);
  const holder = await personByCard(deps.db, input.login);
  const person = holder && !holder.disabled ? await contactsOf(deps.db, holder.personId) : null;
  const to = person && onFile(deps.config, person);
  const sentTo = to ? masked(to) : decoyFor(deps.config, await keysOf(deps.db), input.login);
  const { challenge, expiresAt } = await inTx(deps.db, (tx) =>
    issueCode(deps, tx, {
      purpose: "forgot",
      binding: null,
      personId: to && holder ? holder.personId : null,
      key,
      to,
      sentTo,
      what: "choisir un nouveau mot de passe",
    }),
  );
  return { challenge, sentTo, expiresAt: expiresAt.toISOString() };
}

/** Chooses a new password with the code received; ends every session and the lock on the card. */
export async function forgotReset({
  deps,
  input,
  origin,
}: Call<typeof identity.forgotReset>): Promise<Output<typeof identity.forgotReset>> {
  // A weak choice is told before the code is tried: it costs no try, and says nothing of the code.
  judge(input.password);
  return await withPlaceInQueue(async () => {
    const { challenge, code } = input;
    const personId = await tryCode(deps, { purpose: "forgot", binding: null, challenge, code });
    if (personId === null) throw new Problem("code_expired");
    await judgeFor(deps, personId, input.password);
    const hash = await hashPassword(input.password);
    const numbers = await inTx(deps.db, async (tx) => {
      await consume(tx, challenge, deps.now());
      await keep(deps, tx, { personId, hash, how: "forgot", address: origin.address });
      return await cardnumbersOf(tx, personId);
    });
    await unlockCards(deps.db, numbers);
    return { message: "Votre mot de passe est changé. Vous pouvez vous connecter." };
  });
}

/** A new password ends the waiting that wrong ones earned. */
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
  await judgeFor(deps, caller.personId, input.password);
  return await withPlaceInQueue(async () => {
    const { personId, sessionId } = caller;
    await refuseSame(deps, personId, input.password);
    const hash = await hashPassword(input.password);
    await inTx(deps.db, (tx) =>
      keep(deps, tx, {
        personId,
        hash,
        how: "reset",
        address: origin.address,
        except: sessionId,
      }),
    );
    return {
      message: "Votre mot de passe est choisi.",
      data: await userOf(deps.db, personId, deps.now()),
    };
  });
}

/** Changes the password; the other sessions end. Tries of the current one climb a ladder of their own. */
export async function changePassword({
  deps,
  caller,
  input,
  origin,
}: Call<typeof identity.changePassword>): Promise<Output<typeof identity.changePassword>> {
  return await withPlaceInQueue(async () => {
    const { personId, sessionId } = caller;
    const bucket = perPassword(personId);
    const { closed } = await attempt(deps.db, [bucket], deps.now());
    if (closed) throw new Problem("login_locked", { seconds: closed.seconds, wait: closed.wait });
    if (!(await isPassword(await keptHash(deps, personId), input.current))) {
      throw new Problem("wrong_password");
    }
    await forget(deps.db, bucket);
    await judgeFor(deps, personId, input.password);
    await refuseSame(deps, personId, input.password);
    const hash = await hashPassword(input.password);
    await inTx(deps.db, (tx) =>
      keep(deps, tx, {
        personId,
        hash,
        how: "change",
        address: origin.address,
        except: sessionId,
      }),
    );
    return { message: "Votre mot de passe est changé. Vos autres sessions sont fermées." };
  });
}

interface Choice {
  personId: number;
  hash: string;
  how: "forgot" | "reset" | "change" | "recovery";
  address: string;
  /** The session that goes on. */
  except?: string;
}

/** Writes a new password and all that follows from it. */
export async function keep(deps: Deps, tx: Tx, { personId, hash, how, address, except }: Choice) {
  const at = deps.now();
  await tx
    .updateTable("person")
    .set({ password_hash: hash, password_changed_at: at, must_reset: false, locked_at: null })
    .where("id", "=", personId)
    .execute();
  await endSessions(tx, personId, { except, why: "password", at });
  await voidCodes(tx, personId, "forgot", at);
  await audit(tx, { personId, action: `password.${how}`, actor: "person", address, at });
  const body = "Si ce n'est pas vous, appelez sans attendre le service clients.";
  await notify(tx, {
    personId,
    kind: "security",
    title: "Votre mot de passe a été changé",
    body,
    path: "/profil",
    at,
  });
  const to = onFile(deps.config, await contactsOf(tx, personId));
  if (!to) return;
  await deps.send(tx, {
    ...to,
    subject: "Votre mot de passe Ma carte a été changé",
    body: `Le mot de passe de votre compte Ma carte vient d'être changé. ${body}`,
    personId,
  });
}

async function keptHash(deps: Deps, personId: number): Promise<string> {
  const row = await deps.db
    .selectFrom("person")
    .select("password_hash")
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  return row.password_hash;
}

async function refuseSame(deps: Deps, personId: number, password: string): Promise<void> {
  if (await isPassword(await keptHash(deps, personId), password)) {
    throw new Problem("password_unchanged");
  }
}

/** Refuses a password too easy to guess for this very person. */
export async function judgeFor(deps: Deps, personId: number, password: string): Promise<void> {
  const person = await contactsOf(deps.db, personId);
  judge(password, { ...person, cardnumbers: await cardnumbersOf(deps.db, personId) });
}

/** The numbers of all of a person's cards. */
export async function cardnumbersOf(db: Deps["db"], personId: number): Promise<number[]> {
  const rows = await db
    .selectFrom("card")
    .select("number")
    .where("person_id", "=", personId)
    .execute();
  return rows.map((row) => row.number);
}
