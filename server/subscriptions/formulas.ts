// Formulas and options on sale. A new price is a new version of its formula.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Formula, Option } from "./price.ts";

const columns = sql`code, version, name, summary, opens, year_cents, term,
  min_age, max_age, student, max_quotient,
  covers_children, documents, discounts, since`;

/** The formulas on sale, in display order. */
export async function formulasOnSale(db: Db): Promise<Formula[]> {
  const { rows } = await sql<Formula>`
    select ${columns} from subscription_formula where retired_at is null
    order by place, code`.execute(db);
  return rows;
}

/** A formula as it is sold now; `subscription_unknown` when it is no longer sold. */
export async function formulaNow(db: Db, code: string): Promise<Formula> {
  const found = await query(db).maybeOne(sql<Formula>`
    select ${columns} from subscription_formula
    where code = ${code} and retired_at is null`);
  if (!found) throw new Problem("subscription_unknown");
  return found;
}

/** A formula as it was sold at a version. */
export async function formulaAt(db: Db, code: string, version: number): Promise<Formula> {
  return await query(db).one(sql<Formula>`
    select ${columns} from subscription_formula
    where code = ${code} and version = ${version}`);
}

/** Every option, in display order. */
export async function optionsOf(db: Db): Promise<Option[]> {
  const { rows } = await sql<Option>`
    select code, name, summary, price_cents from subscription_option
    order by place, code`.execute(db);
  return rows;
}

/** Sells a formula at another price from now on, cents per year; existing subscriptions keep theirs. */
export async function changePrice(
  tx: Tx,
  { code, yearCents, at }: { code: string; yearCents: number; at: Date },
): Promise<Formula> {
  await sql`select from subscription_formula where code = ${code} for update`.execute(tx);
  const { version } = await formulaNow(tx, code);
  await sql`update subscription_formula set retired_at = ${at}
    where code = ${code} and version = ${version}`.execute(tx);
  await sql`insert into subscription_formula (code, version, name, summary, opens, place, year_cents,
      term, min_age, max_age, student, max_quotient, covers_children, documents, discounts, since)
    select code, version + 1, name, summary, opens, place, ${yearCents}::bigint, term, min_age,
      max_age, student, max_quotient, covers_children, documents, discounts, ${at}
    from subscription_formula where code = ${code} and version = ${version}`.execute(tx);
  return await formulaNow(tx, code);
}
