// Companies of professionals: who they are for the law, and what their people may do in their name.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { companyRoles } from "./roles.ts";
import { isSiren, isSiret } from "./siren.ts";

/** The roles of somebody, in the order of the list; empty for none. */
export const companyRoleList = z
  .array(z.enum(companyRoles))
  .check(z.maxLength(companyRoles.length));

export const siren = z.string().check(z.refine(isSiren, "numéro SIREN"));
export const siret = z.string().check(z.refine(isSiret, "numéro SIRET"));

/** A company as its own people see it. */
export const company = z.object({
  id: c.uuid,
  /** Legal name. */
  name: z.string(),
  /** Null for an account opened before companies were recorded, until the operator adds it. */
  siren: z.nullable(siren),
  /** SIRET of its seat. */
  siret: z.nullable(siret),
  /** Null where it owes no VAT (article 293 B of the tax code). */
  vatNumber: z.nullable(z.string()),
  street: z.string(),
  postcode: z.string(),
  town: z.string(),
  /** The caller's roles in it. */
  roles: companyRoleList,
});
export type Company = z.output<typeof company>;

export const companies = {
  mine: c.row({
    method: "GET",
    path: "/api/company",
    access: "professional",
    right: "anyone",
    of: "self",
    reads: ["company"],
    summary: "The caller's company and their roles in it; null for a number that no company has",
    source: "spec.md 25",
    input: c.emptyObject,
    output: z.object({ company: z.nullable(company) }),
    problems: [],
  }),
} as const;
