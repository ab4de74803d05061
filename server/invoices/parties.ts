// Seller and buyer on a document: a copy of their data on the day, which later changes leave alone.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Issuer } from "#server/process/issuer.ts";

export interface Party {
  name: string;
  siren: string | null;
  siret: string | null;
  vatNumber: string | null;
  street: string;
  postcode: string;
  town: string;
  /** ISO 3166, two letters. */
  country: string;
}

export interface Seller extends Party {
  legalForm: string;
  register: string;
  email: string;
  phone: string;
  iban: string;
  bic: string;
  vatRegime: Issuer["vatRegime"];
}

/** The scheme, as of now; refuses `invoice_issuer` until the operator has configured it. */
export function sellerOf(issuer: Issuer | null): Seller {
  if (!issuer) throw new Problem("invoice_issuer");
  return { ...issuer, country: "FR" };
}

/** A VAT number begins with its country; Greece has another code there. */
const countryOf = (vatNumber: string | null): string => {
  const letters = vatNumber?.slice(0, 2) ?? "FR";
  return letters === "EL" ? "GR" : letters;
};

/** The company, as of now; refuses `invoice_buyer` where it has no legal number. */
export async function buyerOf(db: Db, companyId: string): Promise<Party> {
  const company = await query(db).maybeOne(sql<Omit<Party, "country">>`
    select name, siren, siret, vat_number, street, postcode, town
    from company where id = ${companyId}`);
  if (!company) throw new Problem("not_found");
  const country = countryOf(company.siren ? null : company.vatNumber);
  if (country === "FR" && company.siren === null) throw new Problem("invoice_buyer");
  return { ...company, country };
}
