// Companies of professionals: who they are for the law, and what their people may do in their name.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { isSiren, isSiret } from "./siren.ts";

/** What a person is in the company (spec.md 25). */
export const companyRoles = ["owner", "accountant", "cashier"] as const;
export type CompanyRole = (typeof companyRoles)[number];

/** French names of the roles. */
export const companyRoleNames: Readonly<Record<CompanyRole, string>> = {
  owner: "Responsable",
  accountant: "Comptable",
  cashier: "Caisse",
};

/** What each role may do: used by the server to refuse and by the screens to show nothing else. */
export const companyCan = {
  /** Sales, invoices, what is owed, bank details. */
  seeMoney: (role: CompanyRole) => role !== "cashier",
  /** Terms, bank details, orders that cost money; rules, prices and closings of a canteen. */
  decide: (role: CompanyRole) => role === "owner",
  /** Families of a canteen: registrations, certificates of illness, messages. */
  answerFamilies: (role: CompanyRole) => role !== "cashier",
  /** Colleagues, their roles and cards. */
  managePeople: (role: CompanyRole) => role === "owner",
};

export const siren = z.string().check(z.refine(isSiren, "numéro SIREN"));
export const siret = z.string().check(z.refine(isSiret, "numéro SIRET"));

/** A company as its own people see it. */
export const company = z.object({
  id: c.uuid,
  /** Legal name. */
  name: z.string(),
  /** Null for an account opened before companies were kept, until the operator writes it. */
  siren: z.nullable(siren),
  /** Of its seat. */
  siret: z.nullable(siret),
  /** Null where it owes no VAT (article 293 B of the tax code). */
  vatNumber: z.nullable(z.string()),
  street: z.string(),
  postcode: z.string(),
  town: z.string(),
  /** What the caller is in it. */
  role: z.enum(companyRoles),
});
export type Company = z.output<typeof company>;

export const companies = {
  mine: c.row({
    method: "GET",
    path: "/api/company",
    access: "professional",
    scope: "own",
    summary: "The caller's company and their role in it; null for a number that no company has",
    source: "spec.md 25",
    input: c.nothing,
    output: z.object({ company: z.nullable(company) }),
    problems: [],
  }),
} as const;
