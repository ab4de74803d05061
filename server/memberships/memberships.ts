// Membership requests of people whose company wants to join a service: written step by step, submitted to the
// operator, discussed, decided. Refuses a company that has an account, a second request for one, and a write
// from a screen that has not read the last version.
import { sql } from "kysely";
import type {
  Membership,
  MembershipExchange,
  MembershipPage,
  memberships,
} from "#contract/memberships/rows.ts";
import type { MembershipPart } from "#contract/memberships/states.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { documentsOf } from "#server/documents/documents.ts";
import { guardiansOf } from "#server/family/family.ts";
import type { Call } from "#server/http/serve.ts";
import type { Deps } from "#server/process/deps.ts";
import {
  codeChannel,
  exchangeDocument,
  attachedDocuments,
  isProved,
  type JoinedService,
  lastRequest,
  type MembershipRow,
  nextStep,
  requireService,
  toFile,
} from "./requests.ts";

export { sweepMemberships } from "./jobs.ts";

/** The requirements to join a service, and the caller's request. Refuses `not_found`. */
export const readMembership = ({ deps, caller, input }: Call<typeof memberships.read>) =>
  pageOf(deps, caller.personId, input.service);

/** The whole page: every row of the room answers it, so that a screen shows the stored request. */
export async function pageOf(
  { db, config }: Pick<Deps, "db" | "config">,
  personId: number,
  code: string,
): Promise<MembershipPage> {
  const service = await requireService(db, code);
  const row = await lastRequest(db, personId, code);
  return {
    service,
    categories: await categoriesOf(db),
    codeBy: codeChannel(config),
    barred: await barredFrom(db, personId),
    membership: row && (await toMembershipView(db, row, service)),
  };
}

/** Why a person may not ask to join; null for those who may. */
export async function barredFrom(db: Db, personId: number): Promise<MembershipPage["barred"]> {
  // A person who carries a card of a company without a role in it belongs to that company too.
  const { isOfCompany } = await query(db).one(sql<{ isOfCompany: boolean }>`
    select exists (select from company_member where person_id = ${personId})
      or exists (select from pro_card where person_id = ${personId} and closed_at is null)
      as is_of_company`);
  if (isOfCompany) return "company";
  return (await guardiansOf(db, personId)).length > 0 ? "minor" : null;
}

/** Categories of the directory without subcategories, in its order. */
async function categoriesOf(db: Db): Promise<MembershipPage["categories"]> {
  const { rows } = await sql<{ id: string; name: string; top: string }>`
    select c.id, c.name, coalesce(top.name, c.name) as top
    from partner_category c left join partner_category top on top.id = c.parent_id
    where not exists (select from partner_category below where below.parent_id = c.id)
    order by top.place nulls first, c.place`.execute(db);
  return rows;
}

async function toMembershipView(
  db: Db,
  row: MembershipRow,
  service: JoinedService,
): Promise<Membership> {
  const documents = await attachedDocuments(db, row.id);
  const { representative, function: role, email, phonenumber } = row;
  return {
    number: row.number,
    state: row.state,
    version: row.version,
    step: nextStep(row, service, documents).step,
    company: {
      siret: row.siret,
      name: row.companyName,
      legalForm: row.legalForm,
      street: row.street,
      postcode: row.postcode,
      town: row.town,
      owesVat: row.owesVat,
      category: row.category,
    },
    representative:
      representative === null
        ? null
        : {
            name: representative,
            function: role ?? "",
            email: email ?? "",
            phonenumber: phonenumber ?? "",
          },
    documents,
    proved: isProved(row),
    requestedParts: row.requestedParts,
    exchanges: await exchangesOf(db, row.id),
    submittedAt: row.submittedAt?.toISOString() ?? null,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    reason: row.reason,
    cardnumber: row.cardnumber,
    opensByCode: row.opensByCode,
  };
}

interface ExchangeRow {
  id: string;
  at: Date;
  fromOperator: boolean;
  text: string;
  parts: string[];
}

/** Questions and answers of a request, the oldest first, each with its documents. */
export async function exchangesOf(db: Db, membershipId: string): Promise<MembershipExchange[]> {
  const { rows } = await sql<ExchangeRow>`
    select id, at, from_operator, text, parts from membership_exchange
    where membership_id = ${membershipId} order by at, id`.execute(db);
  const files = await documentsOf(
    db,
    rows.map(({ id }) => exchangeDocument(id)),
  );
  return rows.map(({ id, at, fromOperator, text, parts }) => ({
    id,
    at: at.toISOString(),
    from: fromOperator ? "team" : "me",
    text,
    parts: parts as MembershipPart[],
    documents: files.filter(({ of }) => of === id).map(toFile),
  }));
}
