// An employer's part of its employees' passes: the offer and the share, the enrolments that each holder
// accepts on their own screen, and the monthly list for payroll (spec §2 Transport_mobile).
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { sharedKinds } from "./law.ts";
import { commuting as limits } from "./limits.ts";
import { enrolmentStates } from "./states.ts";

/** `YYYY-MM`, from 1900 to 2199. */
const month = z.string().check(z.regex(/^(19|20|21)\d\d-(0[1-9]|1[0-2])$/));

/** A subscription that the offer grants. */
const grantedPass = z.object({
  name: z.string(),
  kind: z.enum(sharedKinds),
  /** Without any reduction. */
  priceCents: c.cents,
});
export type GrantedPass = z.output<typeof grantedPass>;

const plan = z.object({
  service: c.uuid,
  name: z.string(),
  /** Legal name. */
  company: z.string(),
  /** Whether the caller sets the share and enrols; an accountant only reads. */
  canDecide: z.boolean(),
  /** What the company pays of each price, in percent; null until it is set. */
  employerPercent: z.nullable(z.int()),
  passes: z.array(grantedPass),
  /** Enrolments that run; those that wait for an answer. */
  active: z.int(),
  invited: z.int(),
});
export type CommutingPlan = z.output<typeof plan>;

/** An employee as payroll knows them: the portal adds nothing of the holder. */
const enrolment = z.object({
  id: c.uuid,
  name: z.string(),
  staffNumber: z.nullable(z.string()),
  /** The last four digits of the number that was typed. */
  last4: z.string(),
  state: z.enum(enrolmentStates),
  invitedAt: c.instant,
  /** Until when the holder may answer, while invited. */
  expiresAt: z.nullable(c.instant),
  acceptedAt: z.nullable(c.instant),
  endedAt: z.nullable(c.instant),
  /** Who ended it: the company, or the employee. */
  endedBy: z.nullable(z.enum(["company", "holder"])),
  /** The last pass bought with the share. */
  lastPass: z.nullable(z.object({ name: z.string(), lastDay: c.day })),
});
export type CommutingEnrolment = z.output<typeof enrolment>;

/** A pass in a month of payroll: a yearly one counts for a twelfth in each month of its use. */
const payrollLine = z.object({
  id: c.uuid,
  name: z.string(),
  staffNumber: z.nullable(z.string()),
  pass: z.string(),
  kind: z.enum(sharedKinds),
  firstDay: c.day,
  lastDay: c.day,
  /** The whole pass. */
  priceCents: c.cents,
  employerCents: c.cents,
  employerPercent: z.int(),
  /** The part of its price that counts in the month. */
  monthPriceCents: c.cents,
  monthEmployerCents: c.cents,
  /** The part of the month's share that bears neither contributions nor income tax. */
  monthExemptCents: c.cents,
});
export type PayrollLine = z.output<typeof payrollLine>;

/** An enrolment as the holder sees it. */
const ownEnrolment = z.object({
  id: c.uuid,
  state: z.enum(enrolmentStates),
  /** Legal name and SIREN of the employer. */
  company: z.string(),
  siren: z.nullable(z.string()),
  /** The name under which the employer enrols them. */
  name: z.string(),
  /** Whose card. */
  holder: z.string(),
  own: z.boolean(),
  employerPercent: z.int(),
  network: z.string(),
  passes: z.array(z.object({ name: z.string(), idgroup: z.int() })),
  expiresAt: z.nullable(c.instant),
});
export type OwnEnrolment = z.output<typeof ownEnrolment>;

const service = z.object({ service: c.uuid });
const oneEnrolment = z.object({ enrolment: c.uuid });

export const commuting = {
  plans: c.row({
    method: "GET",
    path: "/api/commuting/offers",
    access: "professional",
    right: "anyone",
    of: "self",
    reads: ["commuting"],
    summary:
      "Transport offers that the caller's company shares, and whether it runs a network; nothing for who sees no money of it",
    source: "spec §2 Transport_mobile; server/commuting/README.md#what-an-employer-sees",
    input: c.emptyObject,
    output: z.object({
      items: z.array(
        z.object({
          service: c.uuid,
          code: z.nullable(z.string()),
          name: z.string(),
          /** The company's part of each price, in percent. */
          employerPercent: z.int(),
        }),
      ),
      /** Whether the company runs a network: it is then settled for the passes of that network. */
      runsNetwork: z.boolean(),
    }),
    problems: [],
  }),
  plan: c.row({
    method: "GET",
    path: "/api/commuting/offers/:service",
    access: "professional",
    right: "seeMoney",
    of: { service: "anyone" },
    reads: ["commuting"],
    summary: "A transport offer for the caller's company: the passes it grants and the share paid",
    source: "spec §2 Transport_mobile; server/commuting/README.md#what-an-employer-sees",
    input: service,
    output: plan,
    problems: [],
  }),
  setShare: c.row({
    method: "POST",
    path: "/api/commuting/offers/:service",
    access: "professional",
    right: "decide",
    of: { service: "anyone" },
    changes: ["commuting", "activity"],
    summary: "Sets the share that the company pays of purchases from now on; employees are told",
    source: "spec §2 Transport_mobile; server/commuting/README.md#share-of-the-employer",
    input: z.object({
      service: c.uuid,
      employerPercent: z.int().check(z.minimum(1), z.maximum(100)),
    }),
    output: plan,
    rate: { max: limits.sharesPerDay, seconds: 86_400 },
    problems: ["commuting_minimum", "commuting_no_pass"],
  }),
  enrolments: c.row({
    method: "GET",
    path: "/api/commuting/offers/:service/enrolments",
    access: "professional",
    right: "seeMoney",
    of: { service: "anyone" },
    reads: ["commuting"],
    summary: "Enrolments of the company on an offer, newest first",
    source: "spec §2 Transport_mobile; server/commuting/README.md#enrolment-of-an-employee",
    input: z.object({
      service: c.uuid,
      /** Those that wait or run, or those that are over. */
      show: z.optional(z.enum(["running", "over"])),
      before: c.before,
      limit: c.limit,
    }),
    output: c.page(enrolment),
    problems: [],
  }),
  enrol: c.row({
    method: "POST",
    path: "/api/commuting/offers/:service/enrolments",
    access: "professional",
    right: "decide",
    of: { service: "anyone", cardnumber: "number" },
    changes: ["commuting", "activity"],
    summary:
      "Asks the holder of a card to be enrolled; the answer is the same for a card nobody has",
    source: "spec §2 Transport_mobile; server/commuting/README.md#enrolment-of-an-employee",
    input: z.object({
      service: c.uuid,
      cardnumber: c.cardnumber,
      /** As payroll knows the employee. */
      name: c.text(80, 2),
      staffNumber: z.optional(z.nullable(c.text(30, 1))),
    }),
    output: enrolment,
    status: 201,
    rate: { max: limits.maxEnrolments, seconds: 86_400 },
    problems: [
      "commuting_closed",
      "commuting_number",
      "commuting_personal_card",
      "commuting_enrolled",
      "commuting_often",
      "commuting_full",
    ],
  }),
  suspend: c.row({
    method: "POST",
    path: "/api/commuting/enrolments/:enrolment/suspend",
    access: "professional",
    right: "decide",
    of: { enrolment: "employeeEnrolment" },
    changes: ["commuting", "activity"],
    summary: "The company pays nothing of purchases until it resumes; the employee is told",
    source: "spec §2 Transport_mobile; server/commuting/README.md#enrolment-of-an-employee",
    input: oneEnrolment,
    output: enrolment,
    rate: { max: 300, seconds: 3600 },
    problems: ["commuting_state"],
  }),
  resume: c.row({
    method: "POST",
    path: "/api/commuting/enrolments/:enrolment/resume",
    access: "professional",
    right: "decide",
    of: { enrolment: "employeeEnrolment" },
    changes: ["commuting", "activity"],
    summary: "The company pays its share again; the employee is told",
    source: "spec §2 Transport_mobile; server/commuting/README.md#enrolment-of-an-employee",
    input: oneEnrolment,
    output: enrolment,
    rate: { max: 300, seconds: 3600 },
    problems: ["commuting_state"],
  }),
  end: c.row({
    method: "POST",
    path: "/api/commuting/enrolments/:enrolment/end",
    access: "professional",
    right: "decide",
    of: { enrolment: "employeeEnrolment" },
    changes: ["commuting", "activity"],
    summary: "Ends an enrolment, or withdraws one that waits; passes already bought stay valid",
    source: "spec §2 Transport_mobile; server/commuting/README.md#enrolment-of-an-employee",
    input: oneEnrolment,
    output: enrolment,
    problems: ["commuting_state"],
  }),
  payroll: c.row({
    method: "GET",
    path: "/api/commuting/offers/:service/payroll",
    access: "professional",
    right: "seeMoney",
    of: { service: "anyone" },
    reads: ["commuting"],
    summary: "What the company paid of which passes in a month of payroll, with the totals",
    source: "spec §2 Transport_mobile; server/commuting/README.md#payroll",
    input: z.object({ service: c.uuid, month, before: c.before, limit: c.limit }),
    output: z.object({
      items: z.array(payrollLine),
      next: z.nullable(z.number()),
      lines: z.int(),
      monthPriceCents: c.cents,
      monthEmployerCents: c.cents,
      monthExemptCents: c.cents,
    }),
    problems: [],
  }),
  payrollCsv: c.row({
    method: "GET",
    path: "/api/commuting/offers/:service/payroll.csv",
    access: "professional",
    right: "seeMoney",
    of: { service: "anyone" },
    summary: "The same as a table for payroll, by name",
    source: "spec §2 Transport_mobile; server/commuting/README.md#payroll",
    input: z.object({ service: c.uuid, month }),
    output: c.document,
    reply: "csv",
    rate: { max: 30, seconds: 60 },
    problems: [],
  }),
  mine: c.row({
    method: "GET",
    path: "/api/commuting/mine",
    access: "holder",
    of: "self",
    reads: ["commuting", "family"],
    summary: "Employers that ask to pay a share of the caller's or a child's passes, or pay it",
    source: "spec §2 Transport_mobile; server/commuting/README.md#enrolment-of-an-employee",
    input: c.emptyObject,
    output: z.object({ items: z.array(ownEnrolment) }),
    problems: [],
  }),
  answer: c.row({
    method: "POST",
    path: "/api/commuting/mine/:enrolment",
    access: "holder",
    of: { enrolment: "enrolment" },
    changes: ["commuting", "passes", "activity"],
    summary: "Accepts an employer's share, or refuses it",
    source: "spec §2 Transport_mobile; server/commuting/README.md#enrolment-of-an-employee",
    input: z.object({ enrolment: c.uuid, accept: z.boolean() }),
    output: ownEnrolment,
    problems: ["commuting_state", "commuting_other"],
  }),
  leave: c.row({
    method: "POST",
    path: "/api/commuting/mine/:enrolment/leave",
    access: "holder",
    of: { enrolment: "enrolment" },
    changes: ["commuting", "passes", "activity"],
    summary: "Ends one's enrolment: the employer pays nothing of purchases from now on",
    source: "spec §2 Transport_mobile; server/commuting/README.md#enrolment-of-an-employee",
    input: oneEnrolment,
    output: ownEnrolment,
    problems: ["commuting_state"],
  }),
} as const;
