// Partnerships: two companies agree on the discount that the tills of each give for the cards of the other. A
// company is invited by a number; the answer is the same whether a company has that number or not
// (server/partners/README.md#invitations-to-a-partnership).
import { sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import type {
  Partnership,
  PartnershipKind,
  partnerships as rows,
} from "#contract/partners/partnerships.ts";
import type { ProfessionalToDo } from "#contract/portal/professional-home.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import type { Call } from "#server/http/serve.ts";
import type { CompanyHome, CompanyHomePart } from "#server/portal/portal.ts";
import {
  ofCompany,
  partnershipsWhere,
  requirePartnership,
  stateAt,
  termsOfEach,
  toLine,
  toPartnership,
} from "./partnership-rows.ts";

const statesOf: Readonly<Record<PartnershipKind, readonly string[]>> = {
  waiting: ["invited"],
  active: ["active"],
  past: ["refused", "withdrawn", "expired", "ended"],
};

/**
 * Invitations that wait for the company's answer, on an owner's home page: the first to expire first; six at
 * most.
 */
export async function invitationsHome({
  db,
  companyId,
  roles,
  at,
}: CompanyHome): Promise<CompanyHomePart> {
  if (!companyCan.decide(roles)) return {};
  const found = await partnershipsWhere(
    db,
    { companyId, at },
    sql`p.invited_id = ${companyId} and ${stateAt(at)} = 'invited'`,
    sql`order by p.expires_at, p.number limit 6`,
  );
  const toDos = found.map(({ id, otherName, expiresAt }): ProfessionalToDo => {
    const day = parisDay(expiresAt);
    return { kind: "partnership", id, what: otherName ?? "", count: 1, day };
  });
  return { toDos };
}

const defaultLimit = 20;

/** A page of the partnerships of one kind, the latest first, and how many there are of each. */
export async function listPartnerships({ deps, company, input }: Call<typeof rows.list>) {
  const { db } = deps;
  const at = deps.now();
  const { companyId, roles } = company;
  const limit = input.limit ?? defaultLimit;
  const states = statesOf[input.kind];
  const found = await partnershipsWhere(
    db,
    { companyId, at },
    sql`${stateAt(at)} = any (${states}::text[])
      and (${input.before ?? null}::bigint is null or p.number < ${input.before ?? null}::bigint)`,
    sql`order by p.number desc limit ${limit + 1}`,
  );
  const { items, next } = pageOf(found, limit, ({ number }) => number);
  const terms = await termsOfEach(
    db,
    items.map(({ id }) => id),
    1,
  );
  return {
    canDecide: companyCan.decide(roles),
    items: items.map((row) => toLine(row, terms.get(row.id) ?? [])),
    next,
    counts: await countsOf(db, companyId, at),
  };
}

async function countsOf(db: Db, companyId: string, at: Date) {
  return await query(db).one(sql<{ waiting: number; active: number; past: number }>`
    select count(*) filter (where state = 'invited')::int as waiting,
      count(*) filter (where state = 'active')::int as active,
      count(*) filter (where state not in ('invited', 'active'))::int as past
    from (select ${stateAt(at)} as state from partnership p where ${ofCompany(companyId)}) p`);
}

/** One partnership of the caller's company. Refuses `not_found`. */
export async function readPartnership({
  deps,
  company,
  input,
}: Call<typeof rows.one>): Promise<Partnership> {
  const at = deps.now();
  const row = await requirePartnership(deps.db, { companyId: company.companyId, at }, input.id);
  return await toPartnership(deps.db, company, row, at);
}

/** The other side of a partnership of a company, active or ended. Refuses `not_found`. */
export async function otherSideOf(
  db: Db,
  companyId: string,
  input: { id: string; at: Date },
): Promise<string> {
  const row = await requirePartnership(db, { companyId, at: input.at }, input.id);
  if (row.otherId === null || row.answeredAt === null) throw new Problem("not_found");
  return row.otherId;
}
