// The day of a counter: its totals since it was last closed, and its closings, which never change.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

/** What a cashier of a counter charged and gave back. */
export const tillTotals = z.object({
  cashier: z.string(),
  sales: z.int(),
  /** Paid by wallets. */
  paidCents: c.cents,
  discountCents: c.cents,
  /** Amount returned by cancellations and refunds. */
  returnedCents: c.cents,
});
export type TillTotals = z.output<typeof tillTotals>;

/** Totals of a till since it was last closed. */
const running = z.object({
  since: z.nullable(c.instant),
  cashiers: z.array(tillTotals),
});

/** What the wallets of an acceptance group paid and got back, aid apart. */
const means = z.object({
  name: z.string(),
  aid: z.boolean(),
  paidCents: c.cents,
  returnedCents: c.cents,
});
export type TillMeans = z.output<typeof means>;

/** « Cagnotte principale », « Cagnotte principale (aide) ». */
export const meansName = ({ name, aid }: Pick<TillMeans, "name" | "aid">): string =>
  aid ? `${name} (aide)` : name;

/** Sum of the totals of all cashiers. */
export const sumOfTotals = (cashiers: readonly TillTotals[]): TillTotals => {
  const sum = (what: Exclude<keyof TillTotals, "cashier">) =>
    cashiers.reduce((total, one) => total + one[what], 0);
  return {
    cashier: "Total",
    sales: sum("sales"),
    paidCents: sum("paidCents"),
    discountCents: sum("discountCents"),
    returnedCents: sum("returnedCents"),
  };
};

/** The most closings that the file holds, the newest. */
export const maxClosingsInFile = 1000;

const closing = z.object({
  /** 1, 2, 3 for each counter, without a gap. */
  number: z.int(),
  from: z.nullable(c.instant),
  until: c.instant,
  closedBy: z.string(),
  cashiers: z.array(tillTotals),
  /** Null for a closing made before these were recorded. */
  means: z.nullable(z.array(means)),
});
export type TillClosing = z.output<typeof closing>;

const partner = z.object({ partner: c.uuid });
const number = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647));
const commonProblems = ["not_found"] as const;

export const tillClosings = {
  running: c.row({
    method: "GET",
    path: "/api/till/running",
    access: "professional",
    right: "charge",
    of: { partner: "sheet" },
    reads: ["till"],
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
    right: "seeMoney",
    of: { partner: "sheet" },
    changes: ["till"],
    summary: "Closes the day of a counter: its totals are kept under the next number",
    source: "spec.md 21",
    input: partner,
    output: closing,
    status: 201,
    problems: [...commonProblems, "till_nothing"],
  }),
  closings: c.row({
    method: "GET",
    path: "/api/till/closings",
    access: "professional",
    right: "seeMoney",
    of: { partner: "sheet" },
    reads: ["till"],
    summary: "Closings of a counter, newest first; not for a cashier",
    source: "spec.md 21",
    input: z.object({
      partner: c.uuid,
      before: z.optional(number),
      limit: c.limit,
    }),
    output: z.object({ items: z.array(closing), next: z.nullable(z.int()) }),
    problems: [...commonProblems],
  }),
  closingPdf: c.row({
    method: "GET",
    path: "/api/till/closings/:number/closing.pdf",
    access: "professional",
    right: "seeMoney",
    of: { partner: "sheet", number: "anyone" },
    summary: "A closing of a counter as PDF; not for a cashier",
    source: "spec.md 21",
    input: z.object({ partner: c.uuid, number }),
    output: c.document,
    reply: "pdf",
    rate: { max: 20, seconds: 60 },
    problems: [...commonProblems],
  }),
  closingsFile: c.row({
    method: "GET",
    path: "/api/till/closings.csv",
    access: "professional",
    right: "seeMoney",
    of: { partner: "sheet", number: "anyone" },
    summary: "Closings of a counter as CSV, one or those of days in Paris; not for a cashier",
    source: "spec.md 21",
    input: z.object({
      partner: c.uuid,
      number: z.optional(number),
      from: z.optional(c.day),
      to: z.optional(c.day),
    }),
    output: c.document,
    reply: "csv",
    rate: { max: 20, seconds: 60 },
    problems: [...commonProblems],
  }),
} as const;
