// Limits that a guardian sets on a child's card: by day, by week, and by place. The wallet enforces them.
import { Problem } from "#contract/errors.ts";
import { ofName } from "#contract/french.ts";
import type { LimitsView, MemberLimits } from "#contract/family/rows.ts";
import { inTx } from "#server/db/db.ts";
import { auditAct } from "#server/identity/identity.ts";
import { guardiansOf, holderFor, lockTieForShare } from "./family.ts";
import { limitWords, readLimits, writeLimits } from "./member-limits.ts";
import { type FamilyCall, announceToFamily } from "./members.ts";

/** The limits of one's own card or of one's child's, and the amounts spent. Else `not_found`. */
export async function limitsView({
  deps,
  caller,
  input,
}: FamilyCall<{ cardnumber: number }>): Promise<LimitsView> {
  const { id: personId } = await holderFor(deps.db, caller.personId, input.cardnumber);
  const canSet = personId !== caller.personId;
  return await readLimits(deps.db, { personId, canSet, at: deps.now() });
}

/**
 * Sets the limits of a child's card, or removes them when all are null; the child and the other guardians are
 * told. A child's own limits are for a guardian to set: `family_minor`.
 */
export function setLimits({
  deps,
  caller,
  origin,
  input,
}: FamilyCall<{ cardnumber: number; limits: MemberLimits }>): Promise<LimitsView> {
  const me = caller.personId;
  const { dayCents, weekCents } = input.limits;
  return inTx(deps.db, async (tx) => {
    const { id: personId, name } = await holderFor(tx, me, input.cardnumber);
    if (personId === me) throw new Problem("family_minor");
    await lockTieForShare(tx, { actor: me, owner: personId });
    const at = deps.now();
    await writeLimits(tx, { personId, by: me, limits: input.limits, at });
    await auditAct(tx, { caller, origin }, "family.limits", {
      personId,
      details: { dayCents, weekCents },
      at,
    });
    const readers = [personId, ...(await guardiansOf(tx, personId))].filter((one) => one !== me);
    const body = `${caller.name} a changé ce que la carte ${ofName(name)} peut dépenser : ${limitWords(input.limits)}.`;
    await announceToFamily(tx, deps, readers, { title: "Plafonds changés", body, at });
    return await readLimits(tx, { personId, canSet: true, at });
  });
}
