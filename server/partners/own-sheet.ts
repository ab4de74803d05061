// The directory sheets of the caller's own company: read by its people, their category chosen by its owner.
import { sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import type { FirstStep, HomeSheet, ProfessionalToDo } from "#contract/portal/professional-home.ts";
import type { OwnSheets } from "#contract/partners/own.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall, PersonCall } from "#server/http/caller.ts";
import { auditAct } from "#server/identity/identity.ts";
import type { CompanyHome, CompanyHomePart } from "#server/portal/portal.ts";
import { localAt } from "./local-time.ts";
import { type Closure, type Hours, openingOf } from "./opening.ts";

/** The sheets of the caller's company with their categories; none for a number that no company has. */
export async function readOwnSheets({
  deps,
  caller: { company },
}: PersonCall<unknown>): Promise<OwnSheets> {
  if (!company) return { canEdit: false, items: [] };
  const { rows } = await sql<OwnSheets["items"][number]>`
    select p.id, p.name, p.listed,
      json_build_object('id', c.id, 'name', c.name, 'top', coalesce(c.parent_id, c.id)) as category
    from partner p join partner_category c on c.id = p.category_id
    where p.company_id = ${company.companyId} order by p.name, p.id`.execute(deps.db);
  return { canEdit: companyCan.decide(company.roles), items: rows };
}

/**
 * Moves a sheet of the caller's company to another category. Refuses `partner_category_unknown`, and
 * `not_found` for another company's sheet.
 */
export async function chooseCategory(
  call: CompanyCall<{ id: string; category: string }>,
): Promise<{ message: string }> {
  const { deps, company, input } = call;
  return await inCompanyTx(call, async (tx) => {
    const partner = await query(tx).maybeOne(sql<{ name: string }>`
      select name from partner where id = ${input.id} and company_id = ${company.companyId}
      for update`);
    if (!partner) throw new Problem("not_found");
    const chosen = await query(tx).maybeOne(sql<{ name: string }>`
      select name from partner_category where id = ${input.category}`);
    if (!chosen) throw new Problem("partner_category_unknown");
    await sql`update partner set category_id = ${input.category} where id = ${input.id}`.execute(
      tx,
    );
    // The search words of a sheet include those of its category.
    await sql`select partner_words(${input.id})`.execute(tx);
    await auditAct(tx, call, "partner.category", {
      details: { name: partner.name, category: chosen.name },
      at: deps.now(),
    });
    return { message: `${partner.name} est maintenant dans «\u00a0${chosen.name}\u00a0».` };
  });
}

interface OwnRow extends Omit<HomeSheet, "opening" | "offers"> {
  /** Why the operator froze it; null while it is not frozen. */
  frozenWhy: string | null;
  /** Whether its owner has written a description or hours: a new one has its name alone. */
  isWritten: boolean;
  hours: Hours[];
  closures: Closure[];
  offers: { fromOn: string | null; toOn: string | null }[];
}

/** A company has few places; more are found in the directory. */
const maxSheets = 5;

/**
 * The sheets of a company on its home page, hidden ones too, by name. An owner also gets the first step of
 * writing them; a company without a sheet sells nothing here and has no first steps.
 */
export async function sheetsHome({
  db,
  companyId,
  roles,
  at,
}: CompanyHome): Promise<CompanyHomePart> {
  const local = localAt(at);
  const { rows } = await sql<OwnRow>`
    select p.id, p.name, c.name as category, p.listed, p.frozen_why,
      p.description <> p.name or exists (select from partner_hours where partner_id = p.id) as is_written,
      (select coalesce(json_agg(json_build_object('weekday', weekday,
          'opens', to_char(opens, 'HH24:MI'), 'closes', left(closes::text, 5))
          order by weekday, opens), '[]')
        from partner_hours where partner_id = p.id) as hours,
      (select coalesce(json_agg(json_build_object('fromOn', from_on, 'toOn', to_on, 'reason', reason)
          order by from_on), '[]')
        from partner_closure where partner_id = p.id) as closures,
      (select coalesce(json_agg(json_build_object('fromOn', from_on, 'toOn', to_on)), '[]')
        from partner_offer where partner_id = p.id) as offers
    from partner p join partner_category c on c.id = p.category_id
    where p.company_id = ${companyId} order by p.name, p.id limit ${maxSheets}`.execute(db);
  const sheets = rows.map(
    ({ hours, closures, offers, frozenWhy: _why, isWritten: _isWritten, ...sheet }) => ({
      ...sheet,
      opening: openingOf(hours, closures, local),
      offers: offers.filter(
        ({ fromOn, toOn }) =>
          (fromOn === null || fromOn <= local.day) && (toOn === null || toOn >= local.day),
      ).length,
    }),
  );
  const begins = rows.length > 0 && companyCan.decide(roles);
  return { sheets, toDos: rows.flatMap(frozen), ...(begins && { firstSteps: [sheetStep(rows)] }) };
}

const frozen = ({ id, name, frozenWhy }: OwnRow): ProfessionalToDo[] =>
  frozenWhy === null
    ? []
    : [{ kind: "sheet_frozen", id, what: `${name}\u202f: ${frozenWhy}`, count: 1, day: null }];

function sheetStep(rows: readonly OwnRow[]): FirstStep {
  const unwritten = rows.find(({ isWritten }) => !isWritten);
  return { kind: "sheet", done: unwritten === undefined, id: unwritten?.id ?? null };
}
