// Custody of a child of two guardians: a rule by weeks, and days that differ from it. One guardian proposes,
// the other answers; nothing counts before.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

/**
 * `weeks`: even weeks with one, odd ones with the other (the week of 4 January is the first).
 * `usual`: with one, but for the days agreed. `days`: these days with one. `halves`: the first half of
 * these days with one, the second with the other.
 */
export const custodyKinds = ["weeks", "usual", "days", "halves"] as const;
export type CustodyKind = (typeof custodyKinds)[number];

const guardianIndex = z.int().check(z.minimum(0));
const agreement = z.object({
  id: c.uuid,
  kind: z.enum(custodyKinds),
  /** Index among `guardians`: the even weeks, all days, or the first half. */
  first: guardianIndex,
  /** The odd weeks, or the second half. */
  second: z.nullable(guardianIndex),
  fromOn: c.day,
  toOn: z.nullable(c.day),
  proposedAt: c.instant,
  /** Whether the caller proposed it. */
  proposedByMe: z.boolean(),
});
export type CustodyAgreement = z.output<typeof agreement>;

const custodyView = z.object({
  child: z.string(),
  guardians: z.array(z.object({ name: z.string(), own: z.boolean() })),
  /** The days of the weeks that hold the month, Monday first. Null where nothing is agreed. */
  days: z.array(z.object({ on: c.day, guardian: z.nullable(guardianIndex) })),
  /** The rule that applies today. */
  rule: z.nullable(agreement),
  /** Days agreed that are not over, and rules that begin later, the nearest first. */
  planned: z.array(agreement),
  /** Proposals that wait for an answer. */
  proposals: z.array(agreement),
  /** Whether the caller is one of exactly two guardians. */
  canPropose: z.boolean(),
});
export type CustodyView = z.output<typeof custodyView>;

const proposal = z.object({
  cardnumber: c.cardnumberInPath,
  kind: z.enum(custodyKinds),
  /** Who has the even weeks, the days, or the first half. */
  first: z.enum(["me", "other"]),
  fromOn: c.day,
  toOn: z.optional(c.day),
});
export type CustodyProposal = z.output<typeof proposal>;

const one = z.object({ id: c.uuid });

export const custody = {
  custody: c.row({
    method: "GET",
    path: "/api/family/members/:cardnumber/custody",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["custody", "family"],
    summary: "With whom a child is, by day, over a month; what is agreed and what is proposed",
    source: "server/family/README.md#custody",
    input: z.object({
      cardnumber: c.cardnumberInPath,
      /** e.g. `2026-11`, this month by default. */
      month: z.optional(z.string().check(z.regex(/^(?:20|21)\d\d-(?:0[1-9]|1[0-2])$/))),
    }),
    output: custodyView,
    problems: [],
  }),
  proposeCustody: c.row({
    method: "POST",
    path: "/api/family/members/:cardnumber/custody",
    access: "holder",
    of: { cardnumber: "card" },
    changes: ["custody"],
    summary: "Proposes to the other guardian with whom the child will be",
    source: "server/family/README.md#custody",
    input: proposal,
    output: z.object({ id: c.uuid }),
    status: 201,
    rate: { max: 30, seconds: 3600 },
    problems: [
      "family_minor",
      "custody_guardians",
      "custody_dates",
      "custody_waiting",
      "custody_full",
    ],
  }),
  acceptCustody: c.row({
    method: "POST",
    path: "/api/family/custody/:id/accept",
    access: "holder",
    of: { id: "custodyReceived" },
    changes: ["custody", "family"],
    summary: "Agrees to what the other guardian proposes",
    source: "server/family/README.md#custody",
    input: one,
    output: c.messageAnswer,
    problems: ["custody_over"],
  }),
  declineCustody: c.row({
    method: "POST",
    path: "/api/family/custody/:id/decline",
    access: "holder",
    of: { id: "custodyReceived" },
    changes: ["custody", "family"],
    summary: "Declines what the other guardian proposes",
    source: "server/family/README.md#custody",
    input: one,
    output: c.messageAnswer,
    problems: ["custody_over"],
  }),
  withdrawCustody: c.row({
    method: "POST",
    path: "/api/family/custody/:id/withdraw",
    access: "holder",
    of: { id: "custodyProposed" },
    changes: ["custody"],
    summary: "Takes back what one proposed",
    source: "server/family/README.md#custody",
    input: one,
    output: c.messageAnswer,
    rate: { max: 60, seconds: 3600 },
    problems: ["custody_over"],
  }),
} as const;
