// Another guardian of a child: whoever invites one proves their identity, and the other guardians are told.
import type { InvitedAs } from "#contract/family/rows.ts";
import { ofName } from "#contract/french.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { type Proof, proofOf, requireCode } from "#server/identity/identity.ts";
import { guardiansOf } from "./family.ts";
import { announceToFamily, type FamilyCall } from "./members.ts";

/** An invitation to the card of a number, or by a link. */
interface GuardianInvitation extends Proof {
  cardnumber?: number;
  role: InvitedAs;
}

/**
 * The step-up of whoever gives power over a child's card: a power given with a stolen session would outlast
 * it. Refusals of `check` come before a code is sent. Null where the role gives no such power.
 */
export async function requireGuardianProof(
  { deps, caller, input }: Pick<FamilyCall<GuardianInvitation>, "deps" | "caller" | "input">,
  check: (tx: Tx) => Promise<{ child: number | null }>,
): Promise<((tx: Tx) => Promise<void>) | null> {
  if (input.role !== "guardian") return null;
  const { childId, name } = await inTx(deps.db, async (tx) => {
    const { child } = await check(tx);
    return { childId: child, name: await nameOf(tx, child ?? 0) };
  });
  return await requireCode(deps, caller, {
    ...proofOf(input),
    purpose: "family",
    binding: ["guardian", childId, input.cardnumber ?? "link"],
    what: `inviter un autre responsable ${ofName(name)}`,
    withPassword: true,
  });
}

const nameOf = async (db: Db, personId: number): Promise<string> =>
  (
    await db
      .selectFrom("person")
      .select("name")
      .where("id", "=", personId)
      .executeTakeFirstOrThrow()
  ).name;

/**
 * Tells the other guardians of a child, outside the portal too, that there is another one, and who invited
 * them.
 */
export async function announceGuardian(
  tx: Tx,
  deps: FamilyCall<unknown>["deps"],
  {
    childId,
    inviteeId,
    ...names
  }: { childId: number; inviteeId: number; inviteeName: string; inviterName: string },
): Promise<void> {
  const { inviteeName, inviterName } = names;
  const guardians = await guardiansOf(tx, childId);
  const child = ofName(await nameOf(tx, childId));
  await announceToFamily(
    tx,
    deps,
    guardians.filter((id) => id !== inviteeId),
    {
      title: "Un responsable de plus",
      body: `${inviteeName} est maintenant responsable ${child}, à l’invitation ${ofName(inviterName)}. Si ce n’était pas prévu, écrivez-nous depuis Contact.`,
      at: deps.now(),
      channels: "outside",
    },
  );
}
