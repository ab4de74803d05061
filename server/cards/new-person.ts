// New people who may log in: a name, no password chosen yet, a main wallet and an accepted first card of the
// series of their type.
import type { Tx } from "#server/db/db.ts";
import { openWallet } from "#server/wallet/wallet.ts";
import { issueFirstCard } from "./issue.ts";

export interface NewPerson {
  name: string;
  email: string | null;
  /** E.164. */
  phonenumber: string | null;
  passwordHash: string;
  /** Somebody else typed the addresses: they prove nothing before their delay is over (spec.md 29). */
  typedByOther?: boolean;
  /** A code proved an address: a code can choose the first password too, before the card arrives. */
  opensByCode?: boolean;
  at: Date;
}

/** Makes a professional, a person of type 2. */
export const openProfessional = (
  tx: Tx,
  person: NewPerson,
): Promise<{ personId: number; cardnumber: number }> =>
  openPerson(tx, { ...person, type: 2, bornOn: null });

/** Makes the person, the main wallet and an accepted first card. */
export async function openPerson(
  tx: Tx,
  {
    type,
    name,
    bornOn,
    email,
    phonenumber,
    passwordHash,
    typedByOther = false,
    opensByCode = false,
    at,
  }: NewPerson & { type: 1 | 2; bornOn: string | null },
): Promise<{ personId: number; cardnumber: number }> {
  const { id: personId } = await tx
    .insertInto("person")
    .values({
      type,
      name,
      email,
      phonenumber,
      ...(typedByOther && { email_since: at, phone_since: at }),
      avatar: null,
      passwordHash,
      passwordChangedAt: null,
      mustReset: true,
      opensByCode,
      disabledAt: null,
      subscriptionRenewsOn: null,
      subscriptionExpiresAt: null,
      bornOn,
      createdAt: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await openWallet(tx, { personId, at });
  return { personId, cardnumber: await issueFirstCard(tx, { personId, type, at }) };
}
