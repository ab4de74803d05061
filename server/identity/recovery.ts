// Recovery codes: ten codes to keep on paper, each of which allows a new password once, when the phone and
// the e-mail that codes are sent to are out of reach (docs/decisions/008).
import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { plural } from "#contract/french.ts";
import { signIn as limits } from "#contract/limits.ts";
import type { signIn } from "#contract/identity/sign-in.ts";
import { inTx, type Db } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct } from "./audit.ts";
import { requireOpenSession } from "./session-end.ts";
import { type CardHolder, personByCard } from "./identity.ts";
import { requireCode } from "./step-up.ts";
import { knownBrowser } from "./devices.ts";
import { keysOf, seal } from "./keys.ts";
import {
  attempt,
  everyone,
  forget,
  giveBack,
  perAddress,
  perRecovery,
  tooMany,
} from "./limiter.ts";
import { cardnumbersOf, requireStrongPasswordOf, keep, unlockCards } from "./password-rows.ts";
import { hashPassword, shareOfBucket, withPlaceInQueue } from "./passwords.ts";
import { requireStrongPassword } from "./strength.ts";
import { announceSecurity } from "./security-notice.ts";

// Crockford's base 32: without the letters that look like digits. Ten of them are 50 bits.
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const half = 5;

function newCode(): string {
  const word = () =>
    Array.from({ length: half }, () => letters[randomInt(letters.length)]).join("");
  return `${word()}-${word()}`;
}

/** A code as typed: case, dashes and spaces do not count, and O is 0, I and L are 1. */
export const normalised = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");

/** The stored digest; a code of 50 bits under our own key needs no slow hash. */
const hmacOf = async (db: Db, personId: number, code: string): Promise<Buffer> =>
  seal(await keysOf(db), "recovery code", `${personId}:${normalised(code)}`);

/** How many are left, and since when; never which ones. */
export async function recoveryCodes({
  deps,
  caller,
}: Call<typeof signIn.recoveryCodes>): Promise<Output<typeof signIn.recoveryCodes>> {
  return await leftOf(deps.db, caller.personId);
}

async function leftOf(db: Db, personId: number) {
  const row = await db
    .selectFrom("recoveryCode")
    .select(sql<number>`count(*) filter (where used_at is null)`.as("left"))
    .select(sql<Date | null>`max(made_at)`.as("madeAt"))
    .where("personId", "=", personId)
    .executeTakeFirstOrThrow();
  return { left: row.left, madeAt: row.madeAt?.toISOString() ?? null };
}

/** Ten new codes in place of the former ones, approved by a code (spec.md 14); shown this once. */
export async function makeRecoveryCodes({
  deps,
  caller,
  input,
  origin,
}: Call<typeof signIn.makeRecoveryCodes>): Promise<Output<typeof signIn.makeRecoveryCodes>> {
  const { personId } = caller;
  const used = await requireCode(deps, caller, {
    purpose: "recovery",
    binding: "make",
    what: "recevoir vos codes de secours",
    withPassword: true,
    ...input,
  });
  const at = deps.now();
  const codes = new Set<string>();
  while (codes.size < limits.recoveryCodes) codes.add(newCode());
  const rows = await Promise.all(
    [...codes].map(async (code) => ({
      personId,
      hmac: await hmacOf(deps.db, personId, code),
      sessionId: caller.sessionId,
      madeAt: at,
      usedAt: null,
    })),
  );
  await inTx(deps.db, async (tx) => {
    await requireOpenSession(tx, caller);
    await used(tx);
    await tx.deleteFrom("recoveryCode").where("personId", "=", personId).execute();
    await tx.insertInto("recoveryCode").values(rows).execute();
    await auditAct(tx, { caller, origin }, "recovery.make", { at });
    await announceSecurity(tx, deps, {
      personId,
      title: "Codes de secours créés",
      changed: ["recovery_codes"],
      what: "De nouveaux codes de secours remplacent les anciens.",
    });
  });
  return { codes: [...codes], madeAt: at.toISOString() };
}

/**
 * Chooses a new password with a recovery code: ends every session, as a reset of a forgotten password does.
 * An unknown card, a wrong or used code and a disabled account are all `recovery_refused`; failed tries climb
 * a ladder of the card's own, `login_locked`.
 */
export async function recover(
  call: Call<typeof signIn.recover>,
): Promise<Output<typeof signIn.recover>> {
  const { deps, input, origin } = call;
  const cookie = call.request.cookies?.[limits.deviceCookie];
  const browser = await knownBrowser(deps, input.login, cookie);
  const ladder = perRecovery(input.login, browser);
  return await withPlaceInQueue(shareOfBucket(ladder), async () => {
    await requireStrongPassword(input.password);
    const shared = browser === null ? [...perAddress(origin.address), everyone] : [];
    const { closed } = await attempt(deps.db, [ladder, ...shared], deps.now());
    if (closed?.key === ladder.key) {
      throw new Problem("login_locked", { seconds: closed.seconds, wait: closed.wait });
    }
    if (closed) throw tooMany(closed);
    const { personId, hmac } = await rightCode(deps, input);
    await forget(deps.db, ladder);
    await giveBack(deps.db, shared);
    await requireStrongPasswordOf(deps, personId, input.password);
    const hash = await hashPassword(input.password, personId);
    await useUp(deps, { personId, hmac, hash, address: origin.address, carried: cookie });
    await unlockCards(deps.db, await cardnumbersOf(deps.db, personId));
    return { message: "Votre mot de passe est changé. Vous pouvez vous connecter." };
  });
}

async function rightCode(
  deps: Deps,
  { login, code }: { login: number; code: string },
): Promise<{ personId: number; hmac: Buffer }> {
  const holder: CardHolder | null = await personByCard(deps.db, login);
  const personId = holder && !holder.disabled ? holder.personId : 0;
  // No person has id 0: for an unknown card the database runs the same query.
  const hmac = await hmacOf(deps.db, personId, code);
  const row = await deps.db
    .selectFrom("recoveryCode")
    .select("madeAt")
    .where("personId", "=", personId)
    .where("hmac", "=", hmac)
    .where("usedAt", "is", null)
    .executeTakeFirst();
  if (!row) throw new Problem("recovery_refused");
  return { personId, hmac };
}

/** The code and its effect, both or neither; of two calls with one code the second is refused. */
async function useUp(
  deps: Deps,
  {
    hmac,
    ...choice
  }: { personId: number; hmac: Buffer; hash: string; address: string; carried: string | undefined },
): Promise<void> {
  const { personId } = choice;
  await inTx(deps.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("recoveryCode")
      .set({ usedAt: deps.now() })
      .where("personId", "=", personId)
      .where("hmac", "=", hmac)
      .where("usedAt", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Problem("recovery_refused");
    await keep(deps, tx, { ...choice, how: "recovery" });
    const { left } = await leftOf(tx, personId);
    await announceSecurity(tx, deps, {
      personId,
      title: "Code de secours utilisé",
      changed: ["recovery_codes"],
      what: `Un de vos codes de secours a servi à choisir un nouveau mot de passe. Il en reste ${plural(left, "code")}.`,
    });
  });
}
