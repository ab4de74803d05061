// Search of a counter's sales by amount, reference, day, cashier or state, with the total of each day; the file
// of the results, and the refunds and the receipt of a sale.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { type TillSale, tillSale } from "./rows.ts";
import { tillSaleStateNames, tillSaleStates } from "./states.ts";

/** The states, and `part`: paid and refunded in part. */
export const tillSaleFilters = [...tillSaleStates, "part"] as const;
export type TillSaleFilter = (typeof tillSaleFilters)[number];
export const tillSaleFilterNames: Readonly<Record<TillSaleFilter, string>> = {
  ...tillSaleStateNames,
  part: "Remboursé en partie",
};

/** The state that a list shows: a paid sale of which a part went back is `part`. */
export const shownStateOf = ({
  state,
  refundedCents,
}: Pick<TillSale, "state" | "refundedCents">): TillSaleFilter =>
  state === "paid" && refundedCents > 0 ? "part" : state;

/** The most lines that the file of sales holds, the newest. */
export const maxSalesInFile = 10_000;

const search = {
  partner: c.uuid,
  /** A reference (« 8F3A-21C7 »), an amount, the last four digits of the card, words of the label or of an article. */
  q: z.optional(c.text(60)),
  /** Days in Paris, both included. */
  from: z.optional(c.day),
  to: z.optional(c.day),
  /** Number of whoever charged. */
  cashier: z.optional(c.cardnumberInPath),
  state: z.optional(z.enum(tillSaleFilters)),
};
const found = z.object(search);
export type TillSaleSearch = z.output<typeof found>;

/** What the sales of a day in Paris come to, those alone that the search finds. */
const dayTotal = z.object({
  day: c.day,
  /** Those that were paid, what went back since included. */
  sales: z.int(),
  paidCents: c.cents,
  /** Of these sales, on whatever day it was given back. */
  refundedCents: c.cents,
});
export type TillDayTotal = z.output<typeof dayTotal>;

/** Refunds of a sale. */
const returned = z.object({
  sale: tillSale,
  /** By the counter, the earliest first. */
  items: z.array(z.object({ amountCents: c.cents, at: c.instant, by: z.string() })),
  /** Corrections by operators beside it: refunds, or amounts taken back (negative). */
  correctedCents: c.cents,
});
export type TillReturns = z.output<typeof returned>;

/** Name of an operator's correction, by its sign. */
export const correctionName = (cents: number): string =>
  cents > 0 ? "Rendu par le service clients" : "Remboursement annulé par le service clients";

const sale = z.object({ sale: c.uuid });
const common = { method: "GET", access: "professional" } as const;
const problems = ["not_found"] as const;

/** Sales of the day in Paris, and what the counter gave back that day; of a cashier, their own. */
const today = z.object({ sales: z.int(), paidCents: c.cents, returnedCents: c.cents });

export const tillSales = {
  today: c.row({
    ...common,
    path: "/api/till/today",
    right: "charge",
    of: { partner: "sheet" },
    reads: ["till"],
    summary: "Totals of a counter's day in Paris; a cashier's own",
    source: "server/till/README.md#finding-a-sale",
    input: z.object({ partner: c.uuid }),
    output: today,
    problems: [...problems],
  }),
  sale: c.row({
    ...common,
    path: "/api/till/sales/:sale",
    right: "charge",
    of: { sale: "sale" },
    reads: ["till"],
    summary: "One sale of the caller's company; of a cashier, their own",
    source: "spec.md 21",
    input: sale,
    output: tillSale,
    problems: [...problems],
  }),
  returns: c.row({
    ...common,
    path: "/api/till/sales/:sale/returns",
    right: "charge",
    of: { sale: "sale" },
    reads: ["till"],
    summary: "What was given back of a sale, when and by whom; of a cashier, their own",
    source: "spec.md 21",
    input: sale,
    output: returned,
    problems: [...problems],
  }),
  saleReceipt: c.row({
    ...common,
    path: "/api/till/sales/:sale/receipt.pdf",
    right: "charge",
    of: { sale: "sale" },
    summary: "The receipt of a paid sale as PDF, without its wallets; of a cashier, their own",
    source: "server/till/README.md#receipt-of-a-sale",
    input: sale,
    output: c.document,
    reply: "pdf",
    rate: { max: 30, seconds: 60 },
    problems: [...problems, "till_unpaid"],
  }),
  sendReceipt: c.row({
    method: "POST",
    access: "professional",
    path: "/api/till/sales/:sale/receipt",
    right: "charge",
    of: { sale: "sale" },
    changes: [],
    summary: "Sends the holder of a paid sale its receipt once more, three of one holder a day",
    source: "server/till/README.md#receipt-of-a-sale",
    input: sale,
    output: tillSale,
    rate: { max: 20, seconds: 60 },
    problems: [...problems, "till_unpaid"],
  }),
  sales: c.row({
    ...common,
    path: "/api/till/sales",
    right: "charge",
    of: { partner: "sheet", before: "sale", cashier: "number" },
    reads: ["till"],
    summary:
      "Sales of a counter that the search finds, newest first; a cashier's own of the last day",
    source: "spec.md 21",
    input: z.object({ ...search, before: z.optional(c.uuid), limit: c.limit }),
    output: z.object({
      items: z.array(tillSale),
      /** Of each day that has a sale on this page, whole, also where the page ends within it. */
      days: z.array(dayTotal),
      next: z.nullable(c.uuid),
    }),
    problems: [...problems],
  }),
  salesFile: c.row({
    ...common,
    path: "/api/till/sales.csv",
    right: "charge",
    of: { partner: "sheet", cashier: "number" },
    summary: "The same as CSV, the newest ten thousand",
    source: "spec.md 21",
    input: found,
    output: c.document,
    reply: "csv",
    rate: { max: 20, seconds: 60 },
    problems: [...problems],
  }),
  cashiers: c.row({
    ...common,
    path: "/api/till/cashiers",
    right: "charge",
    of: { partner: "sheet" },
    reads: ["company"],
    summary: "Who ever charged at a counter; to a cashier, themselves",
    source: "spec.md 21",
    input: z.object({ partner: c.uuid }),
    output: z.object({ items: z.array(z.object({ cardnumber: c.cardnumber, name: z.string() })) }),
    problems: [...problems],
  }),
} as const;
