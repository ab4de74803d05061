// Terms between the scheme and a partner, version by version: what is in force at an instant, and how the
// operator writes the next version.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Tx } from "#server/db/db.ts";

/** SQL: the discount of a partner in percent at an instant, 0 without terms. */
export const termsInForce = (partner: RawBuilder<unknown>, at: Date): RawBuilder<number> => sql`
  coalesce((select t.discount_percent::int from partner_terms t
    where t.partner_id = ${partner} and t.from_at <= ${at} order by t.version desc limit 1), 0)`;

/** Writes the next version, in force from `at`; gives its number. Refuses `not_found`. */
export async function writeTerms(
  tx: Tx,
  { reference, discountPercent, operator, at }: Terms,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from partner where reference = ${reference} for update`.execute(tx);
  if (!rows[0]) throw new Problem("not_found");
  const { rows: written } = await sql<{ version: number }>`
    insert into partner_terms (partner_id, version, discount_percent, written_by, from_at)
    select ${rows[0].id}, coalesce(max(version), 0) + 1, ${discountPercent}, ${operator}, ${at}
    from partner_terms where partner_id = ${rows[0].id} returning version`.execute(tx);
  return written[0]?.version ?? 1;
}

interface Terms {
  reference: string;
  /** 0 to 90. */
  discountPercent: number;
  operator: string;
  at: Date;
}
