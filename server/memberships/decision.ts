// The operator's decisions on a request: takes it up, asks, approves or rejects it. Each is refused with
// `membership_state` where the table of transitions does not allow it.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber } from "#contract/french.ts";
import { membershipCan, type MembershipPart } from "#contract/memberships/states.ts";
import { membershipPartNames, membershipStateNames } from "#contract/memberships/words.ts";
import { openCompany } from "#server/companies/companies.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { makeFirstSecret, openProfessional } from "#server/cards/cards.ts";
import { auditOperator } from "#server/identity/identity.ts";
import { asSentence } from "#server/notifications/notifications.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { openSheet } from "#server/partners/partners.ts";
import { announceMembership, announceSheet } from "./announcements.ts";
import { lockNumbered, type MembershipRow } from "./requests.ts";

type Permission = "takeUp" | "ask" | "approve" | "reject";

/**
 * The request, locked; refuses `not_found`, `membership_not_taken_up` for one that must be taken up first,
 * and `membership_state` where the transition is not allowed.
 */
async function lockFor(tx: Tx, number: number, permission: Permission): Promise<MembershipRow> {
  const row = await lockNumbered(tx, number);
  if (permission !== "takeUp" && membershipCan.takeUp(row)) {
    throw new Problem("membership_not_taken_up", { number: String(number) });
  }
  if (!membershipCan[permission](row)) {
    throw new Problem("membership_state", { state: membershipStateNames[row.state] });
  }
  return row;
}

const auditDecision = (
  tx: Tx,
  row: MembershipRow,
  { action, operator, at }: { action: string; operator: string; at: Date },
) =>
  auditOperator(tx, operator, `membership.${action}`, {
    personId: row.personId,
    details: { number: row.number },
    at,
  });

/** Starts the review of a submitted request. */
export function takeUpMembership(
  deps: OperatorDeps,
  number: number,
  operator: string,
): Promise<MembershipRow> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockFor(tx, number, "takeUp");
    await moveTo(tx, row, sql`state = 'review'`, at);
    await auditDecision(tx, row, { action: "review", operator, at });
    await announceMembership(tx, deps, row, {
      title: "Demande d’adhésion à l’étude",
      body: `Nous étudions votre demande n° ${row.number} pour ${row.companyName}.`,
      at,
      outside: false,
    });
    return row;
  });
}

/** Asks for a clarification, with the parts to write again; the person is notified and answers. */
export function askClarification(
  deps: OperatorDeps,
  number: number,
  question: { text: string; parts: readonly MembershipPart[]; operator: string },
): Promise<MembershipRow> {
  const { text, operator } = question;
  const parts = [...new Set(question.parts)];
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockFor(tx, number, "ask");
    await sql`insert into membership_exchange (membership_id, at, from_operator, text, parts)
      values (${row.id}, ${at}, true, ${text}, ${parts}::text[])`.execute(tx);
    await moveTo(tx, row, sql`state = 'clarification', requested_parts = ${parts}::text[]`, at);
    await auditDecision(tx, row, { action: "ask", operator, at });
    const again = parts.map((part) => membershipPartNames[part].toLowerCase()).join(", ");
    await announceMembership(tx, deps, row, {
      title: "Votre adhésion attend une précision",
      body: `${text}${again ? ` À revoir : ${again}.` : ""} Répondez depuis votre demande n° ${row.number}.`,
      at,
    });
    return row;
  });
}

/** Result of an approval. `secret` is null where the asker's own professional number was kept. */
export interface ApprovedMembership {
  companyName: string;
  cardnumber: number;
  secret: string | null;
  /** Reference of the sheet that its owner completes, hidden until then. */
  sheet: string;
}

/**
 * Approves a request: opens the company with a sheet to complete, and a professional number for its representative whose card is
 * to be made; a professional without a company becomes the owner with the number they have. Refuses
 * `company_known` when the SIREN has an account by now, `company_member_once` when the asker joined one.
 */
export async function approveMembership(
  deps: OperatorDeps,
  number: number,
  operator: string,
): Promise<ApprovedMembership> {
  const { secret, passwordHash } = await makeFirstSecret();
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockFor(tx, number, "approve");
    const asker = await readApplicant(tx, row.personId);
    const email = trustedAddress(row.email, row.provedAddress, asker.email);
    const phonenumber = trustedAddress(row.phonenumber, row.provedAddress, asker.phonenumber);
    // An address verified by a code of this request receives the code that chooses the first password,
    // without waiting for the card.
    const opensByCode =
      row.provedAddress !== null && [email, phonenumber].includes(row.provedAddress);
    const made =
      asker.type === 1
        ? await openProfessional(tx, {
            name: row.representative ?? "",
            // The verified address, or the asker's own: an address with a typing error gets no message.
            email,
            phonenumber,
            passwordHash,
            opensByCode,
            at,
          })
        : null;
    const ownerId = made?.personId ?? row.personId;
    const cardnumber = made?.cardnumber ?? asker.cardnumber;
    const { companyName: name, siret, street, postcode, town, owesVat } = row;
    const company = { name, siret, street, postcode, town, owesVat, ownerId, at };
    const companyId = await openCompany(tx, company);
    const place = { companyId, name, category: row.category, street, postcode, town };
    const why = `à compléter, adhésion n° ${number}`;
    const sheet = await openSheet(tx, { ...place, number, why, at });
    await moveTo(
      tx,
      row,
      sql`state = 'approved', decided_at = ${at}, cardnumber = ${cardnumber}`,
      at,
    );
    await auditDecision(tx, row, { action: "approve", operator, at });
    if (made) {
      await auditDecision(tx, { ...row, personId: ownerId }, { action: "open", operator, at });
    }
    const next = "Complétez ensuite sa fiche\u202f: nous la montrons alors dans l’annuaire.";
    await announceMembership(tx, deps, row, {
      title: "Adhésion acceptée",
      body: made
        ? `Bienvenue à ${name}. Votre numéro professionnel est le ${formatCardnumber(cardnumber)}. ${opensByCode ? openingNow : openingByCard} Votre carte personnelle ne change pas. ${next}`
        : `Bienvenue à ${name}. Votre numéro professionnel, le ${formatCardnumber(cardnumber)}, en est responsable dès maintenant. ${next}`,
      at,
      ...(made && opensByCode && { opens: cardnumber }),
    });
    await announceSheet(tx, deps, ownerId, { id: sheet.id, name, at });
    return { companyName: name, cardnumber, secret: made ? secret : null, sheet: sheet.reference };
  });
}

const openingNow =
  "Ouvrez son espace dès maintenant\u202f: un code vous est envoyé, vous choisissez un mot de passe et vous entrez. La carte arrive ensuite par la poste.";
const openingByCard =
  "Sa carte vous est envoyée avec un secret de douze chiffres : à sa réception, connectez-vous avec ce numéro et ce secret, puis choisissez un mot de passe.";

const trustedAddress = (typed: string | null, proved: string | null, own: string | null) =>
  typed !== null && (typed === proved || typed === own) ? typed : null;

interface Applicant {
  type: 1 | 2;
  email: string | null;
  phonenumber: string | null;
  cardnumber: number;
}

async function readApplicant(tx: Tx, personId: number): Promise<Applicant> {
  const found = await query(tx).maybeOne(sql<Applicant>`
    select p.type, p.email, p.phonenumber, card.number as cardnumber
    from person p cross join lateral current_card(p.id) card where p.id = ${personId}`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** Rejects a request; the person reads why and may ask again. */
export function rejectMembership(
  deps: OperatorDeps,
  number: number,
  { reason, operator }: { reason: string; operator: string },
): Promise<MembershipRow> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockFor(tx, number, "reject");
    const change = sql`state = 'rejected', decided_at = ${at}, reason = ${reason}, requested_parts = '{}'`;
    await moveTo(tx, row, change, at);
    await auditDecision(tx, row, { action: "reject", operator, at });
    await announceMembership(tx, deps, row, {
      title: "Adhésion refusée",
      body: `Votre demande n° ${row.number} pour ${row.companyName} est refusée : ${asSentence(reason)}`,
      at,
    });
    return row;
  });
}

async function moveTo(
  tx: Tx,
  { id }: MembershipRow,
  change: ReturnType<typeof sql>,
  at: Date,
): Promise<void> {
  await sql`update membership set ${change}, version = version + 1, changed_at = ${at}
    where id = ${id}`.execute(tx);
}
