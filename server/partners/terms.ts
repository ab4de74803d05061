// Terms between the scheme and a partner, version by version: what is in force at an instant, and how the
// operator writes the next version.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Db, Tx } from "#server/db/db.ts";

/** What a partner grants and what the scheme keeps. */
interface PartnerTerms {
  /** 1 and up; 0 before the first ones are written, that grant and keep nothing. */
  version: number;
  /** What its till takes off for every card: 0 to 90. */
  discountPercent: number;
  /** What the scheme keeps of what is paid, in hundredths of a percent: 0 to 10000. */
  commissionBasisPoints: number;
  /** Points that its tills give for each euro paid: 0 to 20. */
  pointsPerEuro: number;
}

/** SQL: the discount of a partner in percent at an instant, 0 without terms. */
export const termsInForce = (partner: RawBuilder<unknown>, at: Date): RawBuilder<number> => sql`
  coalesce((select t.discount_percent::int from partner_terms t
    where t.partner_id = ${partner} and t.from_at <= ${at} order by t.version desc limit 1), 0)`;

/** SQL: what the scheme keeps of a sale at an instant, in hundredths of a percent; 0 without terms. */
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
  const { rows } = await sql<PartnerTerms>`
    select version, discount_percent::int as "discountPercent",
      commission_basis_points as "commissionBasisPoints", points_per_euro::int as "pointsPerEuro"
    from partner_terms where partner_id = ${partnerId} and from_at <= ${at}
    order by version desc limit 1`.execute(db);
  return rows[0] ?? { version: 0, discountPercent: 0, commissionBasisPoints: 0, pointsPerEuro: 0 };
}

/**
 * Writes the next version, in force from `at`; gives its number. Without a rate of points it keeps that of
 * the version before. Refuses `not_found`.
 */
export async function writeTerms(
  tx: Tx,
  { reference, discountPercent, commissionBasisPoints, pointsPerEuro, operator, at }: NewTerms,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from partner where reference = ${reference} for update`.execute(tx);
  if (!rows[0]) throw new Problem("not_found");
  const { rows: written } = await sql<{ version: number }>`
    insert into partner_terms
      (partner_id, version, discount_percent, commission_basis_points, points_per_euro, written_by,
        from_at)
    select ${rows[0].id}, coalesce(max(version), 0) + 1, ${discountPercent},
      ${commissionBasisPoints}, coalesce(${pointsPerEuro ?? null}::smallint,
        (array_agg(points_per_euro order by version desc))[1], 0), ${operator}, ${at}
    from partner_terms where partner_id = ${rows[0].id} returning version`.execute(tx);
  return written[0]?.version ?? 1;
}

interface NewTerms extends Omit<PartnerTerms, "version" | "pointsPerEuro"> {
  pointsPerEuro?: number;
  reference: string;
  operator: string;
  at: Date;
}
