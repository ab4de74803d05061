// Rows of membership requests: read, locked, and what one still lacks.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Membership, MembershipPage } from "#contract/memberships/rows.ts";
import {
  type LegalForm,
  type MembershipDocumentKind,
  membershipDocumentKinds,
  type MembershipPart,
  type MembershipState,
  type MembershipStep,
} from "#contract/memberships/states.ts";
import { membershipDocumentNames } from "#contract/memberships/words.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { type Attached, documentsOf } from "#server/documents/documents.ts";
import { carries } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";

export interface MembershipRow {
  id: string;
  number: number;
  service: string;
  personId: number;
  state: MembershipState;
  version: number;
  siret: string;
  companyName: string;
  legalForm: LegalForm;
  street: string;
  postcode: string;
  town: string;
  owesVat: boolean;
  category: string;
  representative: string | null;
  function: string | null;
  email: string | null;
  phonenumber: string | null;
  provedAddress: string | null;
  /** Whether the first password of the number that the approval opened is chosen with a code. */
  opensByCode: boolean;
  requestedParts: MembershipPart[];
  reason: string | null;
  cardnumber: number | null;
  submittedAt: Date | null;
  decidedAt: Date | null;
}

const columns = sql`m.id, m.number, m.service, m.person_id, m.state, m.version,
  m.siret, m.company_name, m.legal_form, m.street, m.postcode,
  m.town, m.owes_vat, m.category_id as category, m.representative,
  m.representative_function as "function", m.email, m.phonenumber,
  m.proved_address, m.requested_parts, m.reason, m.cardnumber,
  coalesce((select p.opens_by_code and p.password_changed_at is null from card c join person p on p.id = c.person_id
    where c.number = m.cardnumber), false) as opens_by_code,
  m.submitted_at, m.decided_at`;

const isOpen = sql`m.state not in ('approved', 'rejected')`;

/** The request of a person for a service that is open, else the last one; null before the first. */
export async function lastRequest(
  db: Db,
  personId: number,
  service: string,
): Promise<MembershipRow | null> {
  return await query(db).maybeOne(sql<MembershipRow>`
    select ${columns} from membership m
    where m.person_id = ${personId} and m.service = ${service}
    order by m.decided_at desc nulls first, m.number desc limit 1`);
}

/** The open request of a person for a service, locked; null when there is none. */
export const lockOpenRequest = (tx: Tx, personId: number, service: string) =>
  lockWhere(tx, sql`m.person_id = ${personId} and m.service = ${service} and ${isOpen}`);

/**
 * The request that an operator names, locked. Refuses `not_found`; a draft is visible to its author alone.
 */
export async function lockNumbered(tx: Tx, number: number): Promise<MembershipRow> {
  const row = await lockWhere(tx, sql`m.number = ${number} and m.state <> 'draft'`);
  if (!row) throw new Problem("not_found");
  return row;
}

async function lockWhere(tx: Tx, condition: RawBuilder<unknown>): Promise<MembershipRow | null> {
  return await query(tx).maybeOne(sql<MembershipRow>`
    select ${columns} from membership m where ${condition} for update`);
}

/** A service that professionals may join. */
export interface JoinedService {
  code: string;
  name: string;
  summary: string;
  conditions: string[];
  closed: string | null;
  documents: MembershipDocumentKind[];
}

/** The service with this code; `not_found` for one that does not exist or cannot be joined. */
export async function requireService(db: Db, code: string): Promise<JoinedService> {
  const found = await query(db).maybeOne(sql<JoinedService>`
    select code, name, summary, conditions, closed_why as closed,
      coalesce(membership_documents, '{}') as documents
    from service where code = ${code} and screen = 'membership'`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** Owner of the documents of a request (server/documents). */
export const documentOf = (membershipId: string, kind: MembershipDocumentKind) => ({
  kind: `membership_${kind}`,
  id: membershipId,
});
/** Owner of the documents of an exchange. */
export const exchangeDocument = (id: string) => ({ kind: "membership_exchange", id });

/** A file as the contract shows it. */
export const toFile = ({ id, name, kind, bytes }: Attached) => ({ id, name, kind, bytes });

/** The documents given for a request, by kind. */
export async function attachedDocuments(
  db: Db,
  membershipId: string,
): Promise<Membership["documents"]> {
  const each = membershipDocumentKinds.map(async (kind) => {
    const [file] = await documentsOf(db, documentOf(membershipId, kind));
    return file ? [{ kind, document: toFile(file) }] : [];
  });
  return (await Promise.all(each)).flat();
}

/** The channel on which this installation sends the code of a request. */
export const codeChannel = (config: Deps["config"]): MembershipPage["codeBy"] =>
  carries(config, "sms") ? "sms" : "email";

/** The address to which the code of a request goes; null before the representative is known. */
export const codeAddress = (config: Deps["config"], row: MembershipRow): string | null =>
  codeChannel(config) === "sms" ? row.phonenumber : row.email;

/** Whether that address is verified; another one typed since is not. */
export const isProved = (row: MembershipRow): boolean =>
  row.provedAddress !== null &&
  (row.provedAddress === row.phonenumber || row.provedAddress === row.email);

/** The first incomplete step, and in French what it lacks; `summary` lacks nothing. */
export function nextStep(
  row: MembershipRow,
  service: JoinedService,
  documents: Membership["documents"],
): { step: MembershipStep; lacks: string } {
  if (row.representative === null) return { step: "representative", lacks: "le représentant" };
  const missing = service.documents.find((kind) => !documents.some((one) => one.kind === kind));
  if (missing) return { step: "documents", lacks: membershipDocumentNames[missing] };
  if (!isProved(row)) return { step: "code", lacks: "le code à usage unique" };
  return { step: "summary", lacks: "" };
}
