// Verifies what a browser signed with a passkey: its owner, the signature, and its counter.
import { sql } from "kysely";
import type { Assertion } from "#contract/identity/assertion.ts";
import type { Db } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { handleOf, type Site } from "./passkey-site.ts";

export type StoredPasskey = NonNullable<Awaited<ReturnType<typeof passkeyOf>>>;

/** The passkey that an assertion names, with its person; null when it is unknown or another person's. */
export async function passkeyOf(db: Db, response: Assertion) {
  const row = await db
    .selectFrom("passkey as k")
    .innerJoin("person as p", "p.id", "k.personId")
    .select(["k.id", "k.name", "k.credentialId", "k.publicKey", "k.transports", "k.personId"])
    .select(["p.objectId", "p.type", "p.disabledAt", "p.disabledWhy"])
    .where("k.credentialId", "=", Buffer.from(response.id, "base64url"))
    .executeTakeFirst();
  if (!row) return null;
  const handle = response.response.userHandle;
  const same = handle === undefined || handle === base64url(handleOf(row.objectId));
  return same ? row : null;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

/** The signature's data on the authenticator, null when it is not valid. */
export async function verifyAssertion(
  response: Assertion,
  expectedChallenge: string,
  site: Site,
  passkey: StoredPasskey,
) {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
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
        id: passkey.credentialId.toString("base64url"),
        publicKey: new Uint8Array(passkey.publicKey),
        // We check the counter ourselves, after the signature: the library would check it first, and anyone
        // could then pretend that a passkey was copied.
        counter: 0,
        transports: passkey.transports,
      },
    });
    return outcome.verified ? outcome.authenticationInfo : null;
  } catch {
    return null;
  }
}

/**
 * Records a use; false when the counter did not increase, which shows that the passkey exists twice. Of two
 * uses at once with one count, one is refused.
 */
export async function advanceCounter(
  { db, now }: Pick<Deps, "db" | "now">,
  id: string,
  { newCounter, credentialBackedUp }: { newCounter: number; credentialBackedUp: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("passkey")
    .set({ counter: newCounter, synced: credentialBackedUp, lastUsedAt: now() })
    .where("id", "=", id)
    .where(sql<boolean>`(counter < ${newCounter} or (counter = 0 and ${newCounter} = 0))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
