// The e-mail and the phone of a child, which a guardian reads and changes (spec.md 29 and 31).
import { Problem } from "#contract/errors.ts";
import type { ChildContacts } from "#contract/family/rows.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { changeContact, contactsOf, mobileOf, proofOf } from "#server/identity/identity.ts";
import { guardiansOf, holderFor, lockTieForShare } from "./family.ts";
import type { FamilyCall } from "./members.ts";

type Proof = Parameters<typeof proofOf>[0];
type To = Parameters<typeof changeContact>[3]["to"];

/** E-mail and phone of a child, for its guardians. One's own card is refused `family_minor`. */
export async function contactsView({
  deps,
  caller,
  input,
}: FamilyCall<{ cardnumber: number }>): Promise<ChildContacts> {
  const child = await childOf(deps.db, caller.personId, input.cardnumber);
  return await toContacts(deps.db, child.id);
}

/**
 * Changes a child's e-mail: the guardian's password or passkey, and a code to the new address. The former
 * address is told and may undo it for 72 hours; the child and the other guardians are told.
 */
export const setChildEmail = ({
  input: { email, ...input },
  ...call
}: FamilyCall<{ cardnumber: number; email: string } & Proof>): Promise<ChildContacts> =>
  setContact({ ...call, input }, { channel: "email", address: email });

/** The same for the phone, kept as E.164. Refuses `phone_invalid`, `phone_not_mobile`. */
export const setChildPhone = async ({
  input: { phonenumber, ...input },
  ...call
}: FamilyCall<{ cardnumber: number; phonenumber: string } & Proof>): Promise<ChildContacts> =>
  await setContact({ ...call, input }, { channel: "sms", address: mobileOf(phonenumber) });

async function setContact(
  { deps, caller, origin, input }: FamilyCall<{ cardnumber: number } & Proof>,
  to: To,
): Promise<ChildContacts> {
  const { id, name } = await childOf(deps.db, caller.personId, input.cardnumber);
  const readers = (await guardiansOf(deps.db, id)).filter((one) => one !== caller.personId);
  const hold = (tx: Tx) => lockTieForShare(tx, { actor: caller.personId, owner: id });
  const ward = { personId: id, name, readers, hold };
  await changeContact(deps, caller, origin, { ...proofOf(input), to, ward });
  return await toContacts(deps.db, id);
}

async function childOf(db: Db, me: number, cardnumber: number) {
  const holder = await holderFor(db, me, cardnumber);
  if (holder.id === me) throw new Problem("family_minor");
  return holder;
}

async function toContacts(db: Db, personId: number): Promise<ChildContacts> {
  const { email, phonenumber } = await contactsOf(db, personId);
  return { email, phonenumber };
}
