// The terms of an active partnership: proposed by one side, in force once the other accepts. Either side can
// end the partnership.
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { partnerships as limits } from "#contract/partners/partnership-limits.ts";
import type { Partnership, partnerships as rows } from "#contract/partners/partnerships.ts";
import { partnershipCan } from "#contract/partners/partnership-states.ts";
import { inCompanyTx, type Membership } from "#server/companies/companies.ts";
import type { Tx } from "#server/db/db.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct } from "#server/identity/identity.ts";
import { announceTo, percentWords } from "./partnership-announcements.ts";
import {
  lockPartnership,
  type PartnershipRow,
  requirePartnership,
  termsOf,
  toPartnership,
} from "./partnership-rows.ts";

type TermsCall = Call<typeof rows.propose> | Call<typeof rows.answerTerms> | Call<typeof rows.end>;

/** Changes a partnership of the caller's company in a transaction, its row locked, and gives its new view. */
function change(
  call: TermsCall,
  work: (tx: Tx, context: { own: Membership; row: PartnershipRow; at: Date }) => Promise<void>,
): Promise<Partnership> {
  const { deps, company: own, input } = call;
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const of = { companyId: own.companyId, at };
    const row = await lockPartnership(tx, of, input.id);
    await work(tx, { own, row, at });
    return await toPartnership(tx, own, await requirePartnership(tx, of, row.id), at);
  });
}

async function record(
  tx: Tx,
  { caller, origin }: TermsCall,
  { action, row, at }: { action: string; row: PartnershipRow; at: Date },
): Promise<void> {
  await auditAct(tx, { caller, origin }, action, { details: { name: row.otherName }, at });
}

/**
 * Proposes the next version. Refuses `partnership_state` where it is not active, `partnership_terms_open`
 * while another waits, `partnership_terms_same`, `partnership_terms_often`.
 */
export function proposeTerms(call: Call<typeof rows.propose>): Promise<Partnership> {
  const { deps, caller, input } = call;
  return change(call, async (tx, { own, row, at }) => {
    if (!partnershipCan.propose(row)) throw new Problem("partnership_state");
    const versions = await termsOf(tx, row.id);
    if (versions.some(({ fromAt, closed }) => !fromAt && !closed)) {
      throw new Problem("partnership_terms_open");
    }
    const { givesPercent, getsPercent } = input;
    const [inviter, invited] = row.isInviter
      ? [givesPercent, getsPercent]
      : [getsPercent, givesPercent];
    const present = versions.find(({ fromAt }) => fromAt);
    if (present?.inviterPercent === inviter && present.invitedPercent === invited) {
      throw new Problem("partnership_terms_same");
    }
    const dayAgo = new Date(at.getTime() - dayMs);
    const { proposalsPerDay: max } = limits;
    const ours = versions.filter(
      ({ version, byInviter, proposedAt }) =>
        version > 1 && byInviter === row.isInviter && proposedAt > dayAgo,
    );
    if (ours.length >= max) throw new Problem("partnership_terms_often", { max });
    await sql`
      insert into partnership_terms (partnership_id, version, inviter_percent, invited_percent, note,
        by_inviter, proposed_by, proposed_at)
      values (${row.id}, ${(versions[0]?.version ?? 0) + 1}, ${inviter}, ${invited},
        ${input.note?.trim() || null}, ${row.isInviter}, ${caller.personId}, ${at})`.execute(tx);
    await record(tx, call, { action: "partnership.propose", row, at });
    await announceTo(tx, deps, row.otherId, {
      id: row.id,
      title: "Nouvelles conditions proposées",
      body: `${own.name} propose de nouvelles conditions\u00a0: ${percentWords(getsPercent, givesPercent)} Rien ne change avant votre accord.`,
      at,
    });
  });
}

/**
 * The other side accepts terms, which are in force from then on, or refuses them; whoever proposed them may
 * only withdraw them. Refuses `partnership_state`.
 */
export function answerTerms(call: Call<typeof rows.answerTerms>): Promise<Partnership> {
  const { deps, caller, input } = call;
  return change(call, async (tx, { own, row, at }) => {
    const proposal = (await termsOf(tx, row.id)).find(({ version }) => version === input.version);
    const isOpen = proposal && !proposal.fromAt && !proposal.closed;
    if (!isOpen || !partnershipCan.propose(row)) throw new Problem("partnership_state");
    const isOurs = proposal.byInviter === row.isInviter;
    if (isOurs && input.accept) throw new Problem("partnership_state");
    const closed = input.accept ? null : isOurs ? "withdrawn" : "refused";
    await sql`update partnership_terms set answered_by = ${caller.personId}, closed = ${closed},
      from_at = ${input.accept ? at : null}
      where partnership_id = ${row.id} and version = ${input.version}`.execute(tx);
    const word = input.accept ? "accept" : isOurs ? "withdraw" : "refuse";
    await record(tx, call, { action: `partnership.terms_${word}`, row, at });
    await announceTo(tx, deps, row.otherId, {
      id: row.id,
      ...newsOf(word, own.name),
      at,
    });
  });
}

const newsOf = (word: "accept" | "withdraw" | "refuse", name: string) =>
  ({
    accept: {
      title: "Nouvelles conditions acceptées",
      body: `${name} accepte les nouvelles conditions. Elles s’appliquent dès maintenant.`,
    },
    refuse: {
      title: "Nouvelles conditions refusées",
      body: `${name} refuse les nouvelles conditions. Celles d’avant continuent.`,
    },
    withdraw: {
      title: "Nouvelles conditions retirées",
      body: `${name} retire les conditions qui attendaient votre réponse. Celles d’avant continuent.`,
    },
  })[word];

/** Ends a partnership at once: tills give no more discount. Refuses `partnership_state`. */
export function endPartnership(call: Call<typeof rows.end>): Promise<Partnership> {
  const { deps, caller, input } = call;
  return change(call, async (tx, { own, row, at }) => {
    if (!partnershipCan.end(row)) throw new Problem("partnership_state");
    const why = input.reason.trim() || null;
    await sql`update partnership set state = 'ended', ended_by = ${caller.personId},
      ended_at = ${at}, ended_by_inviter = ${row.isInviter}, ended_why = ${why}
      where id = ${row.id}`.execute(tx);
    await sql`update partnership_terms set closed = 'withdrawn'
      where partnership_id = ${row.id} and from_at is null and closed is null`.execute(tx);
    await record(tx, call, { action: "partnership.end", row, at });
    await announceTo(tx, deps, row.otherId, {
      id: row.id,
      title: "Partenariat terminé",
      body: `${own.name} met fin à votre partenariat${why ? `\u00a0: «\u00a0${why}\u00a0»` : ""}. Les remises ne s’appliquent plus.`,
      at,
    });
  });
}
