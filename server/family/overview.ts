// The family as a person sees it.
import type { Output } from "#contract/endpoint.ts";
import type { family } from "#contract/family/rows.ts";
import type { Deps } from "#server/process/deps.ts";
import { guardiansOf } from "./family.ts";
import { receivedBy, sentBy } from "./invitations.ts";
import { membersOf } from "./members.ts";

/**
 * Members (children, guardians, relatives, each by name) with their cards, the invitations sent and those
 * that wait for an answer. Disabled persons are not shown.
 */
export async function familyView(
  { db, now }: Deps,
  personId: number,
): Promise<Output<typeof family.list>> {
  const [members, received, sent, guardians] = await Promise.all([
    membersOf(db, personId),
    receivedBy(db, personId, now()),
    sentBy(db, personId, now()),
    guardiansOf(db, personId),
  ]);
  return { members, received, sent, minor: guardians.length > 0 };
}
