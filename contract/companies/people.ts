// The people of a company and what each may do in its name (spec.md 25).
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { companyRoles } from "./rows.ts";

const companyPerson = z.object({
  /** The number by which they are known now. */
  cardnumber: c.cardnumber,
  name: z.string(),
  /** Null for whoever carries a card of the company and has no say in it. */
  role: z.nullable(z.enum(companyRoles)),
  /** Since when they have it; null without a role. */
  since: z.nullable(c.instant),
  /** Whether it is the caller. */
  own: z.boolean(),
});
export type CompanyPerson = z.output<typeof companyPerson>;

export const companyPeople = {
  people: c.row({
    method: "GET",
    path: "/api/company/people",
    access: "professional",
    scope: "own",
    summary: "Who acts for the caller's company, by role, and who else carries a card of it",
    source: "spec.md 25",
    input: c.nothing,
    output: z.object({
      company: z.string(),
      canManage: z.boolean(),
      items: z.array(companyPerson),
    }),
    problems: ["company_missing", "company_role"],
  }),
  setRole: c.row({
    method: "POST",
    path: "/api/company/people/:cardnumber/role",
    access: "professional",
    scope: "own",
    summary: "Gives a role in the company, changes it or takes it away, with effect at once",
    source: "spec.md 25 and 29",
    input: z.object({
      cardnumber: c.cardnumberInPath,
      /** Null: no say in the company any more. The card stays. */
      role: z.nullable(z.enum(companyRoles)),
      ...c.stepUp,
    }),
    output: z.object({ message: z.string() }),
    rate: { most: 60, seconds: 3600 },
    problems: [
      "company_missing",
      "company_role",
      "company_person_unknown",
      "company_last_owner",
      "company_member_once",
      "bank_change_open",
      ...c.stepUpProblems,
    ],
  }),
} as const;
