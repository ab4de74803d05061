// The day of a counter: what runs since it was last closed, and its closings, which never change.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

const totals = z.object({
  cashier: z.string(),
  sales: z.int(),
  /** Paid by wallets. */
  paidCents: c.cents,
  discountCents: c.cents,
  /** Given back by cancellations and refunds. */
  returnedCents: c.cents,
});
export type TillTotals = z.output<typeof totals>;

/** What happened at a till since it was last closed. */
const running = z.object({
  since: z.nullable(c.instant),
  cashiers: z.array(totals),
});

const closing = z.object({
  /** 1, 2, 3 for each counter, without a gap. */
  number: z.int(),
  from: z.nullable(c.instant),
  until: c.instant,
  closedBy: z.string(),
  cashiers: z.array(totals),
});
export type TillClosing = z.output<typeof closing>;

const partner = z.object({ partner: c.uuid });
const commonProblems = ["not_found", "company_missing"] as const;

export const tillClosings = {
  running: c.row({
    method: "GET",
    path: "/api/till/running",
    access: "professional",
    scope: "own",
    summary: "Totals by cashier since the counter was last closed; a cashier's own",
    source: "spec.md 21",
    input: partner,
    output: running,
    problems: [...commonProblems],
  }),
  close: c.row({
    method: "POST",
    path: "/api/till/closings",
    access: "professional",
    scope: "own",
    summary: "Closes the day of a counter: its totals are kept under the next number",
    source: "spec.md 21",
    input: partner,
    output: closing,
    status: 201,
    problems: [...commonProblems, "company_role", "till_nothing"],
  }),
  closings: c.row({
    method: "GET",
    path: "/api/till/closings",
    access: "professional",
    scope: "own",
    summary: "Closings of a counter, newest first; not for a cashier",
    source: "spec.md 21",
    input: z.object({
      partner: c.uuid,
      before: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647))),
      limit: c.limit,
    }),
    output: z.object({ items: z.array(closing), next: z.nullable(z.int()) }),
    problems: [...commonProblems, "company_role"],
  }),
} as const;
