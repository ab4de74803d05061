// Invitations to a partnership, by SIRET or card number: sent, answered, withdrawn.
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import { isCardnumber } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { partnerships as limits } from "#contract/partners/partnership-limits.ts";
import type { Partnership, partnerships as rows } from "#contract/partners/partnerships.ts";
import { partnershipCan } from "#contract/partners/partnership-states.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct } from "#server/identity/identity.ts";
import { announceTo, percentWords } from "./partnership-announcements.ts";
import { lockPartnership, partnershipsWhere, toPartnership } from "./partnership-rows.ts";

interface Invitee {
  siret: string | null;
  cardnumber: number | null;
}

function readInvitee(input: {
  siret?: string | undefined;
  toCardnumber?: number | undefined;
}): Invitee {
  const { siret = null, toCardnumber: cardnumber = null } = input;
  if ((siret === null) === (cardnumber === null)) {
    throw new Problem("invalid_input", { what: "un SIRET ou un numéro de carte" });
  }
  if (cardnumber !== null && !isCardnumber(cardnumber)) {
    throw new Problem("invalid_input", { field: "toCardnumber", what: "numéro de carte" });
  }
  return { siret, cardnumber };
}

/** The company that has a place of this SIREN, or that handed out this card; null where there is none. */
async function companyBehind(db: Db, { siret, cardnumber }: Invitee): Promise<string | null> {
  const found = await query(db).maybeOne(sql<{ id: string }>`
    select id from company where siren = left(${siret}::text, 9)
    union select k.company_id from card c join pro_card k on k.person_id = c.person_id
    where c.number = ${cardnumber}::bigint`);
  return found?.id ?? null;
}

/**
 * Invites a company with the first terms. The answer is the same for a number that no company has. Refuses
 * `partnership_own`, `partnership_full`, `partnership_waiting` for the same number typed before, and
 * `partnership_known` or `partnership_invited` where the caller's side already knows whose SIRET it is.
 */
export async function invitePartner(
  call: Call<typeof rows.invite>,
): Promise<{ id: string; message: string }> {
  const { deps, company: own, input } = call;
  const typed = readInvitee(input);
  return await inCompanyTx(call, async (tx) => {
    const at = deps.now();
    await sql`select from company where id = ${own.companyId} for no key update`.execute(tx);
    const target = await companyBehind(tx, typed);
    if (target === own.companyId) throw new Problem("partnership_own");
    const invited = await reachable(tx, { companyId: own.companyId, at }, typed, target);
    const id = await insertInvitation(tx, call, { companyId: own.companyId, typed, invited, at });
    await auditAct(tx, call, "partnership.invite", { at });
    if (invited !== null) {
      await announceTo(tx, deps, invited, {
        id,
        title: "Invitation à un partenariat",
        body: `${own.name} vous propose un partenariat\u00a0: ${percentWords(input.getsPercent, input.givesPercent)} Vous pouvez l’accepter ou le refuser.`,
        at,
      });
    }
    return {
      id,
      message:
        "Invitation enregistrée. Si ce numéro est celui d’une entreprise du réseau, ses responsables sont prévenus.",
    };
  });
}

/**
 * The company that the invitation reaches. None where a partnership with that company is under way and the
 * caller's side could only learn it from a refusal.
 */
async function reachable(
  tx: Tx,
  of: { companyId: string; at: Date },
  typed: Invitee,
  target: string | null,
): Promise<string | null> {
  const { companyId, at } = of;
  await sql`update partnership p set state = 'expired'
    where p.state = 'invited' and p.expires_at <= ${at}
      and (p.inviter_id = ${companyId} or p.invited_id = ${companyId})`.execute(tx);
  const live = await partnershipsWhere(tx, of, sql`p.state in ('invited', 'active')`);
  const waiting = live.filter(({ state, isInviter }) => state === "invited" && isInviter);
  if (waiting.length >= limits.openInvitations) {
    throw new Problem("partnership_full", { max: limits.openInvitations });
  }
  const again = waiting.some(({ siret, cardnumber }) =>
    typed.siret === null ? cardnumber === typed.cardnumber : siret === typed.siret,
  );
  if (again) throw new Problem("partnership_waiting");
  const present = target === null ? undefined : live.find(({ otherId }) => otherId === target);
  if (!present) return target;
  // A SIRET is public, and this side knows already whose it is: the refusal discloses nothing.
  const isKnown = present.state === "active" || !present.isInviter;
  if (typed.siret === null || !isKnown) return null;
  if (present.state === "active") throw new Problem("partnership_known");
  throw new Problem("partnership_invited", { id: present.id });
}

async function insertInvitation(
  tx: Tx,
  { caller, input }: Call<typeof rows.invite>,
  invitation: { companyId: string; typed: Invitee; invited: string | null; at: Date },
): Promise<string> {
  const { companyId, typed, invited, at } = invitation;
  const note = input.note?.trim() || null;
  const expires = new Date(at.getTime() + limits.invitationDays * dayMs);
  const { id } = await query(tx).one(sql<{ id: string }>`
    with made as (
      insert into partnership (inviter_id, invited_id, siret, cardnumber, state, note, invited_by,
        invited_at, expires_at)
      values (${companyId}, ${invited}, ${typed.siret}, ${typed.cardnumber}, 'invited', ${note},
        ${caller.personId}, ${at}, ${expires}) returning id)
    insert into partnership_terms (partnership_id, version, inviter_percent, invited_percent, note,
      by_inviter, proposed_by, proposed_at)
    select id, 1, ${input.givesPercent}, ${input.getsPercent}, null, true, ${caller.personId}, ${at}
    from made returning partnership_id as id`);
  return id;
}

/** The invited side accepts with the terms of the invitation, or refuses. Refuses `partnership_state`. */
export function answerInvitation(call: Call<typeof rows.answer>): Promise<Partnership> {
  const { deps, caller, company: own, input } = call;
  const { accept } = input;
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const of = { companyId: own.companyId, at };
    const row = await lockPartnership(tx, of, input.id);
    if (!partnershipCan.answer(row)) throw new Problem("partnership_state");
    await sql`update partnership set state = ${accept ? "active" : "refused"},
      answered_by = ${caller.personId}, answered_at = ${at} where id = ${row.id}`.execute(tx);
    await sql`update partnership_terms set answered_by = ${caller.personId},
      from_at = ${accept ? at : null}, closed = ${accept ? null : "refused"}
      where partnership_id = ${row.id} and version = 1`.execute(tx);
    const action = accept ? "partnership.accept" : "partnership.refuse";
    await auditAct(tx, call, action, { details: { name: row.otherName }, at });
    if (row.otherId) {
      await announceTo(tx, deps, row.otherId, {
        id: row.id,
        title: accept ? "Partenariat accepté" : "Invitation refusée",
        body: accept
          ? `${own.name} accepte votre invitation. Les remises s’appliquent dès maintenant.`
          : "L’une des entreprises que vous avez invitées ne souhaite pas de partenariat.",
        at,
      });
    }
    return await toPartnership(tx, own, await lockPartnership(tx, of, row.id), at);
  });
}

/** Withdraws a waiting invitation. Refuses `partnership_state`. */
export function withdrawInvitation(call: Call<typeof rows.withdraw>): Promise<Partnership> {
  const { deps, company: own, input } = call;
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const of = { companyId: own.companyId, at };
    const row = await lockPartnership(tx, of, input.id);
    if (!partnershipCan.withdraw(row)) throw new Problem("partnership_state");
    await sql`update partnership set state = 'withdrawn' where id = ${row.id}`.execute(tx);
    await sql`update partnership_terms set closed = 'withdrawn'
      where partnership_id = ${row.id}`.execute(tx);
    await auditAct(tx, call, "partnership.withdraw", { at });
    return await toPartnership(tx, own, await lockPartnership(tx, of, row.id), at);
  });
}
