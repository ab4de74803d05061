// Terms between the scheme and a partner, version by version: those in force at an instant, the next version
// written by the operator, and the company's view of them.
import { type RawBuilder, sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import { plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import type { SheetTerms } from "#contract/settlement/rows.ts";
import { rateOf } from "#contract/settlement/states.ts";
import { peopleOf } from "#server/companies/companies.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { awaitsTerms } from "./new-sheet.ts";

/** The discount and points that a partner grants, and the commission of the scheme. */
interface PartnerTerms {
  /** 1 and up; 0 before the first ones are written, when all rates are 0. */
  version: number;
  /** Discount of its tills for every card: 0 to 90. */
  discountPercent: number;
  /** Commission of the scheme on the paid amount, in hundredths of a percent: 0 to 10000. */
  commissionBasisPoints: number;
  /** Points that its tills give for each euro paid: 0 to 20. */
  pointsPerEuro: number;
}

/** SQL: the discount of a partner in percent at an instant, 0 without terms. */
export const termsInForce = (partner: RawBuilder<unknown>, at: Date): RawBuilder<number> => sql`
  coalesce((select t.discount_percent::int from partner_terms t
    where t.partner_id = ${partner} and t.from_at <= ${at} order by t.version desc limit 1), 0)`;

/** SQL: the scheme's commission on a sale at an instant, in hundredths of a percent; 0 without terms. */
export const commissionInForce = (
  partner: RawBuilder<unknown>,
  at: RawBuilder<Date>,
): RawBuilder<number> => sql`
  coalesce((select t.commission_basis_points from partner_terms t
    where t.partner_id = ${partner} and t.from_at <= ${at} order by t.version desc limit 1), 0)`;

/** SQL: the points of a partner for each euro at an instant, 0 without terms. */
export const pointsInForce = (partner: RawBuilder<unknown>, at: Date): RawBuilder<number> => sql`
  coalesce((select t.points_per_euro::int from partner_terms t
    where t.partner_id = ${partner} and t.from_at <= ${at} order by t.version desc limit 1), 0)`;

/** The terms of a partner at an instant. */
export async function termsAt(db: Db, partnerId: string, at: Date): Promise<PartnerTerms> {
  const found = await query(db).maybeOne(sql<PartnerTerms>`
    select version, discount_percent::int,
      commission_basis_points, points_per_euro::int
    from partner_terms where partner_id = ${partnerId} and from_at <= ${at}
    order by version desc limit 1`);
  return found ?? { version: 0, discountPercent: 0, commissionBasisPoints: 0, pointsPerEuro: 0 };
}

/**
 * Writes the next version, in force from `at`; gives its number. Without a rate of points it takes that of
 * the previous version. Refuses `not_found`.
 */
export async function writeTerms(
  tx: Tx,
  { reference, discountPercent, commissionBasisPoints, pointsPerEuro, operator, at }: NewTerms,
): Promise<number> {
  const found = await query(tx).maybeOne(sql<{ id: string }>`
    select id from partner where reference = ${reference} for update`);
  if (!found) throw new Problem("not_found");
  const { version } = await query(tx).one(sql<{ version: number }>`
    insert into partner_terms
      (partner_id, version, discount_percent, commission_basis_points, points_per_euro, written_by,
        from_at)
    select ${found.id}, coalesce(max(version), 0) + 1, ${discountPercent},
      ${commissionBasisPoints}, coalesce(${pointsPerEuro ?? null}::smallint,
        (array_agg(points_per_euro order by version desc))[1], 0), ${operator}, ${at}
    from partner_terms where partner_id = ${found.id} returning version`);
  return version;
}

interface NewTerms extends Omit<PartnerTerms, "version" | "pointsPerEuro"> {
  pointsPerEuro?: number;
  reference: string;
  operator: string;
  at: Date;
}

/** « remise de 5 %, commission de 1,5 %, 2 points par euro » */
export const termsInWords = (terms: Omit<PartnerTerms, "version">): string =>
  `remise de ${terms.discountPercent}\u00a0%, commission de ${rateOf(terms.commissionBasisPoints)}, ` +
  `${plural(terms.pointsPerEuro, "point")} par euro`;

/**
 * Writes `change` of the terms in force as the next version, and notifies the company. The first terms of a
 * new sheet allow it to sell.
 */
export function changeTerms(
  deps: OperatorDeps,
  { reference, operator }: { reference: string; operator: string },
  change: Partial<Omit<PartnerTerms, "version">>,
): Promise<PartnerTerms> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const sheet = await query(tx).maybeOne(sql<{
      id: string;
      name: string;
      companyId: string | null;
    }>`
      select id, name, company_id from partner
      where reference = ${reference} for update`);
    if (!sheet) throw new Problem("not_found");
    const { version: _former, ...before } = await termsAt(tx, sheet.id, at);
    const terms = { ...before, ...change };
    const version = await writeTerms(tx, { ...terms, reference, operator, at });
    const { numAffectedRows: unfrozenRows } = await sql`update partner
      set frozen_at = null, frozen_why = null
      where id = ${sheet.id} and frozen_why = ${awaitsTerms}`.execute(tx);
    if (sheet.companyId !== null) {
      const now = `${sheet.name}, dès maintenant\u202f: ${termsInWords(terms)}.`;
      const news = unfrozenRows
        ? { title: "Vos conditions sont fixées", body: `${now} Votre caisse peut encaisser.` }
        : {
            title: "Vos conditions changent",
            body: `${now} Avant\u202f: ${termsInWords(before)}.`,
          };
      await announce(tx, deps, {
        about: "invoice",
        to: await peopleOf(tx, sheet.companyId, companyCan.seeMoney),
        ...news,
        path: paths.settlements,
        channels: "outside",
        at,
      });
    }
    return { version, ...terms };
  });
}

interface Version extends PartnerTerms {
  from: Date;
  until: Date | null;
}

/** The sheets that match a condition, by name, each with every version of its terms, the last one first. */
async function sheetsWithTerms(
  db: Db,
  condition: RawBuilder<boolean>,
): Promise<{ name: string; versions: Version[] }[]> {
  const { rows: sheets } = await sql<{ id: string; name: string }>`
    select id, name from partner where ${condition}
    order by name collate "fr-x-icu", reference`.execute(db);
  const { rows: versions } = await sql<Version & { partner: string }>`
    select t.partner_id as partner, t.version, t.from_at as "from",
      lead(t.from_at) over (partition by t.partner_id order by t.version) as until,
      t.discount_percent::int,
      t.commission_basis_points,
      t.points_per_euro::int
    from partner_terms t where t.partner_id = any (${sheets.map(({ id }) => id)}::uuid[])
    order by t.version desc`.execute(db);
  const ofSheet = Map.groupBy(versions, ({ partner }) => partner);
  return sheets.map(({ id, name }) => ({
    name,
    versions: (ofSheet.get(id) ?? []).map(({ partner: _partner, ...version }) => version),
  }));
}

/** Every version of the terms of a sheet, the last one first. Refuses `not_found`. */
export async function termsOfSheet(db: Db, reference: string): Promise<Version[]> {
  const [sheet] = await sheetsWithTerms(db, sql`reference = ${reference}`);
  if (!sheet) throw new Problem("not_found");
  return sheet.versions;
}

/** The same of each sheet of a company. */
export async function termsOfCompany(db: Db, companyId: string): Promise<SheetTerms[]> {
  const sheets = await sheetsWithTerms(db, sql`company_id = ${companyId}`);
  return sheets.map(({ name, versions }) => ({
    name,
    versions: versions.map(({ from, until, ...terms }) => ({
      ...terms,
      from: from.toISOString(),
      until: until?.toISOString() ?? null,
    })),
  }));
}
