// The right that a row requires of a professional's roles, checked before its handler runs (`right`,
// contract/endpoint.ts).
import { companyCan } from "#contract/companies/roles.ts";
import type { Row, RowRight } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import type { CallCompany, Caller, Membership } from "./caller.ts";

/**
 * The company that a row is about, with the caller's roles in it; null for a row that requires no right.
 * Refuses `company_missing`, `company_role`.
 */
export function companyOfCall({ right }: Row, { company }: Caller): CallCompany | null {
  if (right === undefined || right === "anyone") return null;
  return { ...requireRight(company, right), right };
}

/**
 * Refuses `company_missing` without a company, `company_role` where the roles there do not have the right.
 */
export function requireRight(company: Membership | null, right: RowRight): Membership {
  if (!company) throw new Problem("company_missing");
  const may = right === "anyRole" || right === "anyone" || companyCan[right](company.roles);
  if (!may) throw new Problem("company_role");
  return company;
}
