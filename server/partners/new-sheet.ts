// The sheet of a company that joins: hidden until its owner has completed it and the operator shows it.
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";

export interface NewSheet {
  companyId: string;
  name: string;
  category: string;
  street: string;
  postcode: string;
  town: string;
  /** Why it is hidden, to distinguish it from a sheet of the same name. */
  why: string;
  number: number;
  at: Date;
}

const referenceOf = (name: string): string =>
  name
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 45)
    .replaceAll(/^-|-$/g, "") || "fiche";

/**
 * Placeholder position of a new sheet, which is not shown before the operator sets one (operator partners
 * unhide).
 */
export const noPosition = { lat: 0, lon: 0 } as const;

/** Why a new sheet sells nothing: the scheme's commission is not agreed yet (operator partners terms). */
export const awaitsTerms = "vos conditions de vente ne sont pas encore fixées";

/**
 * Writes the sheet of a company under the main group, the first; answers its id and reference. It is frozen
 * until its first terms are written.
 */
export async function openSheet(
  tx: Tx,
  sheet: NewSheet,
): Promise<{ id: string; reference: string }> {
  const base = referenceOf(sheet.name);
  const made = await query(tx).one(sql<{ id: string; reference: string }>`
    insert into partner (reference, company_id, name, category_id, summary, description, keywords,
      street, postcode, town, lat, lon, hidden_why, frozen_at, frozen_why)
    select case when exists (select from partner where reference = ${base})
        then ${`${base}-${sheet.number}`} else ${base} end,
      ${sheet.companyId}, left(${sheet.name}, 80), id, name, left(${sheet.name}, 80), '',
      ${sheet.street}, ${sheet.postcode}, ${sheet.town}, ${noPosition.lat}, ${noPosition.lon},
      ${sheet.why}, ${sheet.at}, ${awaitsTerms}
    from partner_category where id = ${sheet.category}
    returning id, reference`);
  await sql`insert into partner_group select ${made.id}, id from acceptance_group order by id limit 1`.execute(
    tx,
  );
  await sql`select partner_words(${made.id})`.execute(tx);
  return made;
}
