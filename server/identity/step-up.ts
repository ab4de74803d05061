// The step-up: before operations that could cost the account or much money, a person proves their identity
// again (spec.md 14 and 29). A channel younger than 72 hours proves nothing.
import { codes as limits } from "#contract/limits.ts";
import { moneyProof } from "#contract/identity/limits.ts";
import { Problem } from "#contract/errors.ts";
import { formatDateTime } from "#contract/french.ts";
import type { Assertion } from "#contract/identity/assertion.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import { carries, type Contact } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import {
  type Approval,
  consume,
  countNewAddress,
  countHeldCode,
  countSend,
  issueCode,
  type Purpose,
  takeTry,
  tryCode,
} from "./codes.ts";
import { channelsOf, maskAddress, noChannel } from "./contacts.ts";
import { keysOf, seal } from "./keys.ts";
import { forget, heldCodes, perRecipient } from "./limiter.ts";
import { openMoneyProof, takeMoneyProof } from "./money-proof.ts";
import { requirePassword } from "./own-password.ts";
import { advanceCounter, passkeyOf, verifyAssertion } from "./passkey-assertion.ts";
import { siteAt } from "./passkey-site.ts";
import { shareOfPerson, withPlaceInQueue } from "./passwords.ts";

/** The fields with which a refused call is repeated (contract/endpoint.ts, `stepUp`). */
export interface Proof {
  challenge?: string | undefined;
  code?: string | undefined;
  password?: string | undefined;
  passkey?: Assertion | undefined;
  /** Sends no code where a passkey will do. */
  preferPasskey?: boolean | undefined;
}

/** A request for a step-up. */
export interface StepUp extends Proof {
  purpose: Purpose;
  /** Exactly what is approved (who, to whom, how much): other content needs another proof. */
  binding: unknown;
  /** Ends the sentence « … est votre code pour »: « envoyer 80,00 € à Léo Moreau ». */
  what: string;
  /**
   * A new address: the code goes there, and is required even of a person with a passkey. The message then has
   * its own text and `what` is only for the screen: its reader has agreed to nothing, and must not read text
   * that others typed.
   */
  to?: Contact;
  /** Requires the password besides the code, or a passkey (spec.md 29). */
  withPassword?: boolean;
  /**
   * Amount that the operation moves, in cents. It requires the same as with the password; a recent proof of
   * the session suffices, and the proof covers the operations that follow (money-proof.ts).
   */
  moneyCents?: number;
  /** Amount in `what`, in cents, which the dialog writes large; that of `moneyCents` where it is not given. */
  amountCents?: number;
}

/** The part of a call's input that proves who calls, or says how they would rather. */
export const proofOf = ({ challenge, code, password, passkey, preferPasskey }: Proof): Proof => ({
  challenge,
  code,
  password,
  passkey,
  preferPasskey,
});

/** Whether a call brings a proof, valid or not. */
export const hasProof = ({ challenge, code, passkey }: Proof): boolean =>
  challenge !== undefined && (code !== undefined || passkey !== undefined);

/**
 * Passes a call with a valid proof, else refuses it with `code_required` and a challenge, having sent a code
 * (none with `preferPasskey` to a person who has a passkey); the same call repeated with the proof passes.
 * Call it before the room's transaction, and call the function that it returns inside: the try counts even if
 * that transaction rolls back, and the challenge is used up together with its effect or not at all. Refuses
 * what `stepUpProblems` lists.
 */
export async function requireCode(
  deps: Deps,
  caller: Caller,
  step: StepUp,
): Promise<(tx: Tx) => Promise<void>> {
  const { challenge, moneyCents } = step;
  if (challenge === undefined || !hasProof(step)) {
    if (moneyCents !== undefined && (await takeMoneyProof(deps, caller, moneyCents))) {
      return async () => {};
    }
    return await refuse(deps, caller, step);
  }
  await prove(deps, caller, { ...step, challenge });
  return async (tx) => {
    await consume(tx, challenge, deps.now());
    if (moneyCents !== undefined) await openMoneyProof(tx, caller, deps.now());
  };
}

/** Thrown by an attempt that needs a code, as only its locked reads show. */
export class CodeRequired extends Error {
  /** Name of the operation in the message with the code. */
  what: string;
  cents: number;
  constructor(what: string, cents: number) {
    super("a code is needed first");
    this.what = what;
    this.cents = cents;
  }
}

/**
 * Runs an attempt, in a transaction of its own. Where it throws `CodeRequired` it is rolled back, a code is
 * required, and with the code it runs again: whatever would be refused anyway is refused before a code is
 * sent, and sums are read under the locks. A proof in the call is checked first. Refuses as `requireCode`.
 */
export async function withCodeOnDemand<Result>(
  deps: Deps,
  caller: Caller,
  approval: Pick<StepUp, keyof Proof | "purpose" | "binding">,
  attempt: (useCode: ((tx: Tx) => Promise<void>) | null) => Promise<Result>,
): Promise<Result> {
  const { purpose, binding } = approval;
  const ask = (what: string, moneyCents: number) =>
    requireCode(deps, caller, { purpose, binding, what, moneyCents, ...proofOf(approval) });
  try {
    return await attempt(hasProof(approval) ? await ask("", 0) : null);
  } catch (error) {
    if (!(error instanceof CodeRequired)) throw error;
    return await attempt(await ask(error.what, error.cents));
  }
}

const asksPassword = ({ withPassword = false, moneyCents }: StepUp): boolean =>
  withPassword || moneyCents !== undefined;

// The person is part of what is approved: a proof is valid for nobody else.
const boundTo = ({ personId }: Caller, { purpose, binding }: StepUp): Approval => ({
  purpose,
  binding: [personId, binding],
});

async function prove(
  deps: Deps,
  caller: Caller,
  step: StepUp & { challenge: string },
): Promise<void> {
  const { challenge, code, password, passkey, to } = step;
  const withPassword = asksPassword(step);
  const bound = { ...boundTo(caller, step), challenge };
  const signed = withPassword && passkey !== undefined;
  if (signed && !to) {
    await takeTry(deps, bound);
    await requirePasskey(deps, caller, { challenge, passkey });
    await forget(deps.db, perRecipient(sendKey(caller, step)));
    await forget(deps.db, heldCodes(caller.personId));
    return;
  }
  if (signed) await requirePasskey(deps, caller, { challenge, passkey });
  else if (withPassword) {
    if (password === undefined) throw new Problem("password_required");
    // Before the code: a wrong password costs no try of it.
    const share = shareOfPerson(caller.personId);
    await withPlaceInQueue(share, () => requirePassword(deps, caller, password));
  }
  await tryCode(deps, { ...bound, code: code ?? "" });
  await forget(deps.db, perRecipient(sendKey(caller, step)));
}

/** Counts the codes requested for a purpose: a valid proof empties it, so that only failures close it. */
const sendKey = ({ personId }: Caller, { purpose }: StepUp): string =>
  `code:${purpose}:${personId}`;

/** What a passkey signs to approve: only the call that was given this challenge. */
const signedFor = async (deps: Deps, challenge: string): Promise<string> =>
  seal(await keysOf(deps.db), "step-up passkey", challenge).toString("base64url");

/** Refuses `passkey_refused` for a passkey of someone else's, and for an invalid signature. */
async function requirePasskey(
  deps: Deps,
  { personId, siteOrigin }: Caller,
  { challenge, passkey }: { challenge: string; passkey: Assertion },
): Promise<void> {
  const site = siteAt(siteOrigin);
  const storedPasskey = await passkeyOf(deps.db, passkey);
  if (site && storedPasskey?.personId === personId) {
    const signed = await verifyAssertion(
      passkey,
      await signedFor(deps, challenge),
      site,
      storedPasskey,
    );
    if (signed && (await advanceCounter(deps, storedPasskey.id, signed))) return;
  }
  throw new Problem("passkey_refused");
}

async function refuse(deps: Deps, caller: Caller, step: StepUp): Promise<never> {
  const { to, what, moneyCents, amountCents = moneyCents } = step;
  const withPassword = asksPassword(step);
  const { personId } = caller;
  const site =
    withPassword && (await hasPasskey(deps, personId)) ? siteAt(caller.siteOrigin) : null;
  const contact = await addresseeOf(deps, personId, { to, mayBeNobody: site !== null });
  const key = sendKey(caller, step);
  // A new address was typed by the person, an address on file is only shown masked.
  const address = to ? to.address : contact ? maskAddress(contact) : "";
  const waits = site !== null && !to && step.preferPasskey === true;
  if (to) await countNewAddress(deps, personId, to);
  if (waits) await countHeldCode(deps, personId);
  else await countSend(deps, key, caller.address);
  const sentTo = waits ? "" : address;
  const bound = boundTo(caller, step);
  const { challenge, expiresAt } = await inTx(deps.db, (tx) =>
    issueCode(deps, tx, {
      ...bound,
      personId,
      key,
      to: waits ? null : contact,
      sentTo,
      what: to ? wordsToNewAddress[to.channel] : what,
    }),
  );
  throw new Problem("code_required", {
    challenge,
    sentTo,
    proof: sentTo === "" ? "votre clé d'accès" : `le code envoyé à ${sentTo}`,
    channel: contact?.channel ?? null,
    expiresAt: expiresAt.toISOString(),
    what,
    ...(waits && { codeTo: address }),
    ...(amountCents !== undefined && { amountCents }),
    ...(withPassword && { password: true }),
    ...(moneyCents !== undefined && {
      opensMinutes: moneyProof.minutes,
      opensCents: moneyProof.cents,
    }),
    ...(site && { passkeyChallenge: await signedFor(deps, challenge), passkeyRpId: site.rpID }),
    ...(site && to && { codeAlways: true }),
  });
}

const wordsToNewAddress = {
  email: "confirmer cette adresse e-mail",
  sms: "confirmer ce numéro de téléphone",
} as const satisfies Record<Contact["channel"], string>;

/** Where the code goes: the new address, else a trusted channel; nobody where a passkey suffices. */
async function addresseeOf(
  deps: Deps,
  personId: number,
  { to, mayBeNobody }: { to: Contact | undefined; mayBeNobody: boolean },
): Promise<Contact | null> {
  if (to) {
    if (!carries(deps.config, to.channel)) throw noChannel(deps.config);
    return to;
  }
  const { trusted: standing, firstTrustedAt: firstStandsAt } = await channelsOf(deps, personId);
  if (standing[0] || mayBeNobody) return standing[0] ?? null;
  if (firstStandsAt === null) throw noChannel(deps.config);
  throw new Problem("channel_too_new", {
    from: formatDateTime(firstStandsAt),
    hours: limits.channelStandsHours,
  });
}

async function hasPasskey({ db }: Deps, personId: number): Promise<boolean> {
  const row = await db
    .selectFrom("passkey")
    .select("id")
    .where("personId", "=", personId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
