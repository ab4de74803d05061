// The people of a company and what each may do in its name (spec.md 25).
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { areCompatibleRoles } from "./roles.ts";
import { companyRoleList } from "./rows.ts";

const companyPerson = z.object({
  /** Their present card number. */
  cardnumber: c.cardnumber,
  name: z.string(),
  /** None for whoever carries a card of the company and has no say in it. */
  roles: companyRoleList,
  /** Since when they have them; null without a role. */
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
    right: "seeMoney",
    of: "company",
    reads: ["company"],
    summary: "Who acts for the caller's company, by role, and who else carries a card of it",
    source: "spec.md 25",
    input: c.emptyObject,
    output: z.object({
      company: z.string(),
      canManage: z.boolean(),
      items: z.array(companyPerson),
    }),
    problems: [],
  }),
  setRoles: c.row({
    method: "POST",
    path: "/api/company/people/:cardnumber/roles",
    access: "professional",
    right: "managePeople",
    of: { cardnumber: "colleague" },
    changes: ["company", "pro_cards", "activity"],
    summary: "Gives roles in the company, changes them or takes them away, with effect at once",
    source: "spec.md 25 and 29",
    input: z.object({
      cardnumber: c.cardnumberInPath,
      /** None: no say in the company any more. The card stays. */
      roles: companyRoleList.check(
        z.refine((roles) => roles.length === 0 || areCompatibleRoles(roles), "rôles"),
      ),
      ...c.stepUp,
    }),
    output: z.object({ message: z.string() }),
    rate: { max: 60, seconds: 3600 },
    problems: [
      "company_person_unknown",
      "company_last_owner",
      "company_member_once",
      "bank_change_open",
      ...c.stepUpProblems,
    ],
  }),
} as const;
