// Invitations by a link to share: the first person to open it is the one invited.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { paths } from "#contract/paths.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { newSecretLink, secretDigest } from "#server/http/secret-link.ts";
import { guardiansOf } from "./family.ts";
import {
  announceInvitation,
  childOf,
  eligiblePerson,
  insertInvitation,
  requireAdult,
  requireNotInFamily,
  type LinkInvitationInput,
} from "./invitations.ts";
import type { FamilyCall } from "./members.ts";
import { requireGuardianProof } from "./new-guardian.ts";

/**
 * Invites by a link, whose address is shown once: the first person to open it is the one invited; as another
 * guardian of a child after a step-up. Refuses `family_minor`, `family_child_missing`, `family_full`.
 */
export async function inviteByLink(
  call: FamilyCall<LinkInvitationInput>,
): Promise<{ address: string }> {
  const { deps, caller, input } = call;
  const path = `${paths.family}#invitation=`;
  const { address, digest } = newSecretLink("invitation", { siteOrigin: caller.siteOrigin, path });
  const requireInvitable = async (tx: Tx) => {
    await sql`select from person where id = ${caller.personId} for no key update`.execute(tx);
    await requireAdult(tx, caller.personId);
    return { child: await childOf(tx, caller.personId, input) };
  };
  const used = await requireGuardianProof(call, requireInvitable);
  return await inTx(deps.db, async (tx) => {
    const { child } = await requireInvitable(tx);
    await used?.(tx);
    await insertInvitation(tx, call, { secretHash: digest, role: input.role, childId: child });
    return { address };
  });
}

/**
 * Claims an invitation by its link: from then on it is this person's, as if it had been sent to their card.
 * `invitation_over` once it ended or somebody else opened it, `invitation_unfit` for a person who cannot take
 * this role, and `family_oneself`, `family_already` as for an invitation to a card.
 */
export function claimInvitation({
  deps,
  caller,
  input,
}: FamilyCall<{ secret: string }>): Promise<{ message: string }> {
  const me = caller.personId;
  return inTx(deps.db, async (tx) => {
    const found = await tx
      .selectFrom("familyInvitation")
      .select(["id", "inviterId", "inviteeId", "role", "childId"])
      .where("secretHash", "=", secretDigest("invitation", input.secret))
      .where("state", "=", "open")
      .where("expiresAt", ">", deps.now())
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw new Problem("invitation_over");
    const { inviterId: inviter, inviteeId: invitee, childId: child } = found;
    const role = found.role;
    if (inviter === me) throw new Problem("family_oneself");
    if (invitee !== null && invitee !== me) throw new Problem("invitation_over");
    const minor = (await guardiansOf(tx, me)).length > 0;
    const message = minor
      ? "Vous êtes invité. Votre responsable répondra pour vous."
      : "Vous êtes invité. Acceptez ou refusez.";
    if (invitee === me) return { message };
    await requireNotInFamily(tx, inviter, { cardnumber: caller.cardnumber, role }, child);
    if ((await eligiblePerson(tx, me, role)) === null) throw new Problem("invitation_unfit");
    await tx
      .updateTable("familyInvitation")
      .set({ inviteeId: me, cardnumber: caller.cardnumber })
      .where("id", "=", found.id)
      .execute();
    if (minor) await announceInvitation(tx, deps, { id: found.id, invitee: me });
    return { message };
  });
}
