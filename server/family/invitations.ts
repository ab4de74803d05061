// Invitations: sent to a card number, answered on the other side with a code. They never disclose whether a
// card exists, and a guardian answers for whoever has one.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { ofName } from "#contract/french.ts";
import type { InvitedAs, ReceivedInvitation, SentInvitation } from "#contract/family/rows.ts";
import { family as limits } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditAct, type Proof, requireCode } from "#server/identity/identity.ts";
import { answeredBy } from "./answered-by.ts";
import { guardiansOf, lockTieForShare, lockTiesForShare } from "./family.ts";
import { type FamilyCall, membersOf, announceToFamily } from "./members.ts";
import { announceGuardian, requireGuardianProof } from "./new-guardian.ts";

interface InvitationInput extends Proof {
  cardnumber: number;
  role: InvitedAs;
  child?: number | undefined;
}

export type LinkInvitationInput = Omit<InvitationInput, "cardnumber">;

/**
 * Invites the person who has a card; as another guardian of a child after a step-up. Refuses as its row
 * lists; the answer is the same for an unknown card, a professional's, or that of somebody who could not take
 * this role.
 */
export async function invite({
  deps,
  caller,
  origin,
  input,
}: FamilyCall<InvitationInput>): Promise<SentInvitation> {
  const me = caller.personId;
  const at = deps.now();
  const requireInvitable = async (tx: Tx) => {
    await sql`select from person where id = ${me} for no key update`.execute(tx);
    await requireAdult(tx, me);
    const child = await childOf(tx, me, input);
    const target = await holderOf(tx, input.cardnumber);
    if (target === me) throw new Problem("family_oneself");
    await requireNotInFamily(tx, me, input, child);
    return { child, target };
  };
  const used = await requireGuardianProof({ deps, caller, input }, requireInvitable);
  return await inTx(deps.db, async (tx) => {
    const { child, target } = await requireInvitable(tx);
    await used?.(tx);
    const invitee = await eligiblePerson(tx, target, input.role);
    const id = await insertInvitation(
      tx,
      { deps, caller, origin },
      { cardnumber: input.cardnumber, inviteeId: invitee, role: input.role, childId: child },
    );
    if (invitee !== null) await announceInvitation(tx, deps, { id, invitee });
    const sent = (await sentBy(tx, me, at)).find((one) => one.id === id);
    if (!sent) throw new Error("the invitation just written is not there");
    return sent;
  });
}

/** Writes an invitation to a card number or by a link; `family_full` above the limit of open ones. */
export async function insertInvitation(
  tx: Tx,
  { deps, caller, origin }: Pick<FamilyCall<unknown>, "deps" | "caller" | "origin">,
  to: {
    cardnumber?: number;
    inviteeId?: number | null;
    secretHash?: Buffer;
    role: InvitedAs;
    childId: number | null;
  },
): Promise<string> {
  const me = caller.personId;
  const at = deps.now();
  await sql`update family_invitation set state = 'expired'
    where inviter_id = ${me} and state = 'open' and expires_at <= ${at}`.execute(tx);
  if ((await sentBy(tx, me, at)).length >= limits.openInvitations) {
    throw new Problem("family_full", { max: limits.openInvitations });
  }
  const id = randomUUID();
  const expires = new Date(at.getTime() + limits.invitationDays * dayMs);
  await tx
    .insertInto("familyInvitation")
    .values({ ...to, id, inviterId: me, createdAt: at, expiresAt: expires })
    .execute();
  await auditAct(tx, { caller, origin }, "family.invite", { at });
  return id;
}

/** Tells those who answer: the person invited, or their guardians. */
export async function announceInvitation(
  tx: Tx,
  deps: FamilyCall<unknown>["deps"],
  { id, invitee }: { id: string; invitee: number },
) {
  const guardians = await guardiansOf(tx, invitee);
  await announceToFamily(tx, deps, guardians.length > 0 ? guardians : [invitee], {
    title: "Invitation reçue",
    body: "Quelqu'un vous invite dans sa famille. Répondez depuis la page Famille.",
    path: atPlace(paths.family, "invitation", id),
    at: deps.now(),
  });
}

/** Refuses a person who has a guardian: they neither invite nor become a guardian. */
export async function requireAdult(db: Db, personId: number): Promise<void> {
  if ((await guardiansOf(db, personId)).length > 0) throw new Problem("family_minor");
}

export async function childOf(
  tx: Tx,
  me: number,
  { role, child }: LinkInvitationInput,
): Promise<number | null> {
  if (role !== "guardian") return null;
  if (child === undefined) throw new Problem("family_child_missing");
  const [member] = await membersOf(tx, me, child);
  if (member?.relation !== "child") throw new Problem("not_found");
  return await holderOf(tx, child);
}

async function holderOf(tx: Tx, cardnumber: number): Promise<number | null> {
  const row = await tx
    .selectFrom("card")
    .select("personId")
    .where("number", "=", cardnumber)
    .executeTakeFirst();
  return row?.personId ?? null;
}

// Refuses only relations that the person already sees in the family: nothing else is disclosed.
export async function requireNotInFamily(
  tx: Tx,
  me: number,
  input: InvitationInput,
  child: number | null,
) {
  const [known] = await membersOf(tx, me, input.cardnumber);
  if (!known) return;
  if (input.role === "relative") throw new Problem("family_already");
  if (input.role === "child" && known.relation === "child") throw new Problem("family_already");
  if (input.role !== "guardian" || child === null) return;
  const holder = await holderOf(tx, input.cardnumber);
  const guardians = await guardiansOf(tx, child);
  if (known.relation === "child" || guardians.includes(holder ?? 0)) {
    throw new Problem("family_already");
  }
}

/** The invited person if they may take this role, else null: the invitation then has no effect. */
export async function eligiblePerson(
  tx: Tx,
  target: number | null,
  role: InvitedAs,
): Promise<number | null> {
  if (target === null) return null;
  const found = await query(tx).maybeOne(sql<{ fits: boolean }>`
    select p.type = 1 and p.disabled_at is null
      and (${role} <> 'guardian' or not exists
        (select from current_ties() t where t.member_id = p.id and t.role = 'child'))
      and (${role} <> 'child' or not exists
        (select from current_ties() t where t.guardian_id = p.id and t.role = 'child')
        and of_age(p.born_on) is not true) as fits
    from person p where p.id = ${target}`);
  return found?.fits ? target : null;
}

/** Open invitations that a person answers, for themselves or for a child. */
export async function receivedBy(db: Db, me: number, now: Date): Promise<ReceivedInvitation[]> {
  const { rows } = await sql<Omit<ReceivedInvitation, "expiresAt"> & { until: Date }>`
    select i.id, inviter.name as from, c.number as from_cardnumber, i.role, invitee.name as to,
      i.invitee_id = ${me} as own, child.name as child, i.expires_at as until
    from family_invitation i
    join person inviter on inviter.id = i.inviter_id and inviter.disabled_at is null
    join person invitee on invitee.id = i.invitee_id
    left join person child on child.id = i.child_id
    cross join lateral current_card(i.inviter_id) c
    where i.state = 'open' and i.expires_at > ${now} and ${answeredBy(me)}
      and i.inviter_id <> ${me}
    order by i.created_at limit 50`.execute(db);
  return rows.map(({ until, ...one }) => ({ ...one, expiresAt: until.toISOString() }));
}

/** Open invitations that a person sent. */
export async function sentBy(db: Db, me: number, now: Date): Promise<SentInvitation[]> {
  const { rows } = await sql<Omit<SentInvitation, "expiresAt"> & { until: Date }>`
    select i.id, i.cardnumber, i.role, child.name as child, i.expires_at as until
    from family_invitation i left join person child on child.id = i.child_id
    where i.inviter_id = ${me} and i.state = 'open' and i.expires_at > ${now}
    order by i.created_at`.execute(db);
  return rows.map(({ until, ...one }) => ({ ...one, expiresAt: until.toISOString() }));
}

interface Open {
  inviterId: number;
  inviterName: string;
  inviteeId: number;
  inviteeName: string;
  role: InvitedAs;
  childId: number | null;
}

/** The open invitation that `me` answers. `not_found` for anyone else's, `invitation_over` when closed. */
async function openInvitation(db: Db, id: string, me: number, now: Date): Promise<Open> {
  const found = await query(db).maybeOne(sql<Open & { open: boolean }>`
    select i.inviter_id, inviter.name as inviter_name, i.role,
      invitee.id as invitee_id, invitee.name as invitee_name, i.child_id,
      i.state = 'open' and i.expires_at > ${now}
        and (i.role <> 'child' or of_age(invitee.born_on) is not true) as open
    from family_invitation i
    join person inviter on inviter.id = i.inviter_id and inviter.disabled_at is null
    join person invitee on invitee.id = i.invitee_id
    where i.id = ${id} and ${answeredBy(me)} and i.inviter_id <> ${me}`);
  if (!found) throw new Problem("not_found");
  if (!found.open) throw new Problem("invitation_over");
  return found;
}

/** Closes an open invitation once; a second call gets `invitation_over`. */
async function close(tx: Tx, id: string, me: number, to: string, at: Date): Promise<void> {
  const { rows } = await sql`update family_invitation
    set state = ${to}, answered_at = ${at}, answered_by = ${me}
    where id = ${id} and state = 'open' and expires_at > ${at} returning id`.execute(tx);
  if (rows.length === 0) throw new Problem("invitation_over");
}

/**
 * Accepts an invitation with a code sent to the person who answers (spec.md 14): the tie exists from then on,
 * and the person who invited is told.
 */
export async function acceptInvitation({
  deps,
  caller,
  origin,
  input,
}: FamilyCall<{ id: string; challenge?: string | undefined; code?: string | undefined }>) {
  const me = caller.personId;
  const before = await openInvitation(deps.db, input.id, me, deps.now());
  const useCode = await requireCode(deps, caller, {
    purpose: "family",
    binding: [input.id, before.role],
    what: `accepter l'invitation ${ofName(before.inviterName)}`,
    challenge: input.challenge,
    code: input.code,
  });
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const { inviterId, inviteeId, inviteeName, inviterName, role, childId } = before;
    await lockTieForShare(tx, { actor: me, owner: inviteeId });
    if (role === "guardian") {
      // The person who invited may have left since.
      const [isTheirs] = await lockTiesForShare(tx, [{ actor: inviterId, owner: childId ?? 0 }]);
      if (!isTheirs) throw new Problem("invitation_over");
    }
    await close(tx, input.id, me, "accepted", at);
    await useCode(tx);
    if (role === "guardian") {
      await requireAdult(tx, inviteeId);
      await tie(tx, inviteeId, childId ?? 0, "child");
      await announceGuardian(tx, deps, {
        childId: childId ?? 0,
        inviteeId,
        inviteeName,
        inviterName,
      });
    } else {
      if (role === "child") await requireAdult(tx, inviterId);
      await tie(tx, inviterId, inviteeId, role);
    }
    const details = { name: inviterName };
    await auditAct(tx, { caller, origin }, "family.accept", { details, at });
    await announceToFamily(tx, deps, [inviterId], {
      title: "Invitation acceptée",
      body: `${inviteeName} fait maintenant partie de votre famille.`,
      at,
    });
    return { message: `L'invitation ${ofName(inviterName)} est acceptée.` };
  });
}

/** Ties two persons; the tie of a child replaces that of a relative, never the reverse. */
export async function tie(
  tx: Tx,
  guardian: number,
  member: number,
  role: "child" | "relative",
): Promise<void> {
  await sql`delete from family_tie where role = 'relative' and guardian_id = ${member}
    and member_id = ${guardian}`.execute(tx);
  await sql`insert into family_tie (guardian_id, member_id, role)
    values (${guardian}, ${member}, ${role})
    on conflict (guardian_id, member_id) do update set role = excluded.role
      where excluded.role = 'child'`.execute(tx);
}

/** Declines an invitation received, or withdraws one that was sent. */
export async function closeInvitation(
  { deps, caller, origin, input }: FamilyCall<{ id: string }>,
  to: "declined" | "cancelled",
): Promise<{ message: string }> {
  const me = caller.personId;
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    if (to === "cancelled") {
      const mine = await tx
        .selectFrom("familyInvitation")
        .select("id")
        .where("id", "=", input.id)
        .where("inviterId", "=", me)
        .executeTakeFirst();
      if (!mine) throw new Problem("not_found");
      await close(tx, input.id, me, to, at);
      return { message: "L'invitation est annulée." };
    }
    const open = await openInvitation(tx, input.id, me, at);
    const { inviterId, inviterName, inviteeId } = open;
    await lockTieForShare(tx, { actor: me, owner: inviteeId });
    await close(tx, input.id, me, to, at);
    await auditAct(tx, { caller, origin }, "family.decline", {
      details: { name: inviterName },
      at,
    });
    await announceToFamily(tx, deps, [inviterId], {
      title: "Invitation refusée",
      body: "Une invitation que vous avez envoyée a été refusée.",
      at,
    });
    return { message: "L'invitation est refusée." };
  });
}
