// Settlement: what a company is owed for its sales, less the commission and what was paid out, month by
// month, each cent explained.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { payoutHolds, payoutStates, settlementLineKinds, settlementSources } from "./states.ts";

/** Income from one source in a month. */
const sourceSum = z.object({
  source: z.enum(settlementSources),
  /** Sales, each once. */
  sales: z.int(),
  salesCents: c.cents,
  /** Refunds to holders, negative. */
  returnsCents: c.cents,
  /** Corrections of the operator, signed. */
  correctionsCents: c.cents,
  /** The three together. */
  grossCents: c.cents,
  /** Without VAT. */
  commissionCents: c.cents,
});
export type SettlementSourceSum = z.output<typeof sourceSum>;

const payout = z.object({
  /** As the bank's statement shows it. */
  reference: z.string(),
  amountCents: c.cents,
  state: z.enum(payoutStates),
  /** Why the bank refused it. */
  reason: z.nullable(z.string()),
  /** Whether the refusal counts in this statement: the amount is owed again from here on. */
  returnedHere: z.boolean(),
  madeAt: c.instant,
  executeOn: c.day,
  answeredAt: z.nullable(c.instant),
  /** Masked (`maskIban`): IBAN of the account that was paid. */
  iban: z.string(),
});
export type SettlementPayout = z.output<typeof payout>;

/** A closed month in the list. */
const settlementAmounts = z.object({
  month: c.month,
  closedAt: c.instant,
  /** Sales less returns, corrections included. */
  grossCents: c.cents,
  /** With VAT. */
  commissionCents: c.cents,
  /** Net amount of the month for the company. */
  netCents: c.cents,
  /** What was paid out in this statement, less what came back. */
  paidCents: c.cents,
});
export type SettlementAmounts = z.output<typeof settlementAmounts>;

const statement = z.object({
  month: c.month,
  closedAt: c.instant,
  /** Owed before this month, and not paid out. */
  openingCents: c.cents,
  sources: z.array(sourceSum),
  grossCents: c.cents,
  /** Without VAT. */
  commissionCents: c.cents,
  vatCents: c.cents,
  netCents: c.cents,
  /** The invoice of the commission, or its credit note; null where nothing is due. */
  invoice: z.nullable(z.object({ id: c.uuid, number: z.string() })),
  /** Payouts of this statement. */
  payouts: z.array(payout),
  /** Payouts of an earlier statement that the bank sent back in this one. */
  returned: z.array(payout),
  /** Amount carried over to the next statement. */
  closingCents: c.cents,
  lines: z.int(),
  /**
   * Lines against the sums, sums against the ledger, opening against closing: the differences, added up.
   * 0, or an error to report.
   */
  controlCents: c.cents,
});
export type SettlementStatement = z.output<typeof statement>;

const line = z.object({
  source: z.enum(settlementSources),
  /** The group of transfers of the ledger, or the ticket. */
  key: z.string(),
  kind: z.enum(settlementLineKinds),
  at: c.instant,
  label: z.string(),
  grossCents: c.cents,
  /** In hundredths of a percent, by the terms of the sale's day. */
  commissionBasisPoints: z.int(),
  /** Without VAT. */
  commissionCents: c.cents,
});
export type SettlementLine = z.output<typeof line>;

const summary = z.object({
  /** On the company's account of the ledger: closed months, less what was paid out. */
  owedCents: c.cents,
  /** Sent to the bank, its answer still open. */
  sentCents: c.cents,
  /** Since the last closed month, before commission. */
  running: z.object({
    /** Null where no month was ever closed. */
    since: z.nullable(c.day),
    sources: z.array(z.object({ source: z.enum(settlementSources), grossCents: c.cents })),
    grossCents: c.cents,
  }),
  /** Why nothing would be paid out now; null when it would. */
  hold: z.nullable(z.enum(payoutHolds)),
  /** Until when, of a frozen account. */
  holdUntil: z.nullable(c.instant),
  /** Masked (`maskIban`): IBAN of the account that the next payout goes to. */
  iban: z.nullable(z.string()),
});
export type SettlementSummary = z.output<typeof summary>;

/** The terms of a sheet between the company and the scheme, the version in force first. */
const sheetTerms = z.object({
  name: z.string(),
  versions: z.array(
    z.object({
      /** 1 and up. */
      version: z.int(),
      from: c.instant,
      /** Until the next version; null: in force. */
      until: z.nullable(c.instant),
      /** Discount of the till for every card, in percent. */
      discountPercent: z.int(),
      /** Commission of the scheme on each sale, before VAT, in hundredths of a percent. */
      commissionBasisPoints: z.int(),
      /** Points for each euro paid. */
      pointsPerEuro: z.int(),
    }),
  ),
});
export type SheetTerms = z.output<typeof sheetTerms>;

const common = {
  access: "professional",
  source: "server/settlement/README.md#statement-of-a-company",
} as const;
const ofMonth = z.object({ month: c.month });

export const settlements = {
  summary: c.row({
    method: "GET",
    path: "/api/settlements/summary",
    right: "seeMoney",
    of: "company",
    ...common,
    reads: ["till"],
    summary: "What the caller's company is owed now; not for a cashier",
    input: c.emptyObject,
    output: summary,
    problems: [],
  }),
  terms: c.row({
    method: "GET",
    path: "/api/settlements/terms",
    right: "seeMoney",
    of: "company",
    ...common,
    reads: ["partnerships"],
    summary:
      "The terms of each sheet of the caller's company, version by version; not for a cashier",
    input: c.emptyObject,
    output: z.object({ items: z.array(sheetTerms) }),
    problems: [],
  }),
  list: c.row({
    method: "GET",
    path: "/api/settlements",
    right: "seeMoney",
    of: "company",
    ...common,
    reads: ["till"],
    summary: "The settled months of the caller's company, newest first",
    input: z.object({ before: z.optional(c.month), limit: c.limit }),
    output: z.object({ items: z.array(settlementAmounts), next: z.nullable(c.month) }),
    problems: [],
  }),
  one: c.row({
    method: "GET",
    path: "/api/settlements/:month",
    right: "seeMoney",
    of: { month: "anyone" },
    ...common,
    reads: ["till"],
    summary: "The statement of a month: sales, commission, invoice, payouts, and the control",
    input: ofMonth,
    output: statement,
    problems: [],
    timeoutMs: 30_000,
  }),
  lines: c.row({
    method: "GET",
    path: "/api/settlements/:month/lines",
    right: "seeMoney",
    of: { month: "anyone" },
    ...common,
    reads: ["till"],
    summary: "The lines of a month in their order, by pages from the key of the last one seen",
    input: z.object({
      month: c.month,
      /** `next` of the page before. */
      after: z.optional(c.text(200, 1)),
      limit: c.limit,
    }),
    output: z.object({ items: z.array(line), next: z.nullable(z.string()) }),
    problems: [],
  }),
  pdf: c.row({
    method: "GET",
    path: "/api/settlements/:month/statement.pdf",
    right: "seeMoney",
    of: { month: "anyone" },
    ...common,
    summary: "The statement of a month as PDF, with a line for each day and source",
    input: ofMonth,
    output: c.document,
    reply: "pdf",
    rate: { max: 20, seconds: 60 },
    problems: [],
  }),
  csv: c.row({
    method: "GET",
    path: "/api/settlements/:month/lines.csv",
    right: "seeMoney",
    of: { month: "anyone" },
    ...common,
    summary: "The lines of a month as CSV, with commission, payouts and totals",
    input: ofMonth,
    output: c.document,
    reply: "csv",
    rate: { max: 20, seconds: 60 },
    problems: [],
  }),
} as const;
