// Invoices and credit notes of the scheme to a company: what its people who see money read and pay.
import * as z from "zod/mini";
import { checkoutProblems, payment, paying } from "../checkout/rows.ts";
import * as c from "../endpoint.ts";
import { documentStates, invoiceKinds, paymentStates, settlementMeans } from "./states.ts";
import { vatCodes } from "./vat.ts";

/** Filters of the list: still to pay, past its day, paid, credit notes alone. */
export const invoiceFilters = ["open", "late", "paid", "credit_notes"] as const;
export type InvoiceFilter = (typeof invoiceFilters)[number];

const year = z.coerce.number().check(z.int(), z.minimum(2000), z.maximum(2199));
const search = { state: z.optional(z.enum(invoiceFilters)), year: z.optional(year) };

const listed = z.object({
  id: c.uuid,
  number: z.string(),
  kind: z.enum(invoiceKinds),
  document: z.enum(documentStates),
  payment: z.enum(paymentStates),
  /** Its subject: the text of its first line. */
  label: z.string(),
  issuedOn: c.day,
  dueOn: c.day,
  /** VAT included. */
  totalCents: c.cents,
  /** Amount still to pay, or to refund for a credit note. */
  openCents: c.cents,
  /** The invoice that a credit note corrects. */
  corrects: z.nullable(z.object({ id: c.uuid, number: z.string() })),
});
export type ListedInvoice = z.output<typeof listed>;

const line = z.object({
  label: z.string(),
  quantity: z.int(),
  /** Without VAT. */
  unitCents: c.cents,
  vat: z.enum(vatCodes),
  /** Without VAT. */
  cents: c.cents,
});

const invoice = z.object({
  ...listed.shape,
  netCents: c.cents,
  vatCents: c.cents,
  prepaidCents: c.cents,
  lines: z.array(line),
  /** Allowances taken off, without VAT. */
  allowances: z.array(z.object({ label: z.string(), vat: z.enum(vatCodes), cents: c.cents })),
  vat: z.array(
    z.object({
      vat: z.enum(vatCodes),
      basisCents: c.cents,
      vatCents: c.cents,
      /** Why it bears no VAT. */
      exemption: z.nullable(z.string()),
    }),
  ),
  /** Credit notes that correct it. */
  credits: z.array(z.object({ id: c.uuid, number: z.string(), totalCents: c.cents })),
  payments: z.array(
    z.object({
      means: z.enum(settlementMeans),
      amountCents: c.cents,
      at: c.instant,
      /** Reference of the transfer, the payout, the other document; null for a payment here. */
      reference: z.nullable(z.string()),
    }),
  ),
  /** Where a transfer goes and what it quotes; null once nothing is to pay. */
  transfer: z.nullable(
    z.object({ holder: z.string(), iban: z.string(), bic: z.string(), reference: z.string() }),
  ),
});
export type Invoice = z.output<typeof invoice>;

const one = z.object({ invoice: c.uuid });

export const invoices = {
  list: c.row({
    method: "GET",
    path: "/api/invoices",
    access: "professional",
    right: "seeMoney",
    of: "company",
    reads: ["invoices"],
    summary: "Invoices and credit notes of the caller's company, newest first, with what is owed",
    source: "server/invoices/README.md#payment-of-an-invoice",
    input: z.object({ ...search, before: c.before, limit: c.limit }),
    output: z.object({
      items: z.array(listed),
      next: z.nullable(z.number()),
      /** Years that have documents, the last one first. */
      years: z.array(z.int()),
      /** Over all invoices, whatever the filter. */
      toPay: z.object({ count: z.int(), cents: c.cents }),
      late: z.object({ count: z.int(), cents: c.cents }),
    }),
    problems: [],
  }),
  file: c.row({
    method: "GET",
    path: "/api/invoices/export",
    access: "professional",
    right: "seeMoney",
    of: "company",
    summary: "The documents that a filter keeps, 5,000 at most, a line each",
    source: "server/invoices/README.md#payment-of-an-invoice",
    input: z.object(search),
    output: c.document,
    reply: "csv",
    problems: [],
  }),
  one: c.row({
    method: "GET",
    path: "/api/invoices/:invoice",
    access: "professional",
    right: "seeMoney",
    of: { invoice: "invoice" },
    reads: ["invoices"],
    summary: "A document with its lines, VAT, payments, credit notes and how to pay it",
    source: "server/invoices/README.md#payment-of-an-invoice",
    input: one,
    output: invoice,
    problems: [],
  }),
  pdf: c.row({
    method: "GET",
    path: "/api/invoices/:invoice/pdf",
    access: "professional",
    right: "seeMoney",
    of: { invoice: "invoice" },
    summary: "The document as a Factur-X: PDF/A-3 with the EN 16931 XML inside",
    source: "server/invoices/README.md#formats",
    input: one,
    output: c.document,
    reply: "pdf",
    rate: { max: 30, seconds: 60 },
    problems: [],
  }),
  ubl: c.row({
    method: "GET",
    path: "/api/invoices/:invoice/ubl",
    access: "professional",
    right: "seeMoney",
    of: { invoice: "invoice" },
    summary: "The document as UBL 2.1",
    source: "server/invoices/README.md#formats",
    input: one,
    output: c.document,
    reply: "file",
    problems: [],
  }),
  pay: c.row({
    method: "POST",
    path: "/api/invoices/:invoice/pay",
    access: "professional",
    right: "seeMoney",
    of: { invoice: "invoice", objectID: "wallet" },
    changes: ["invoices", "wallets", "top_ups", "money_proof"],
    summary: "Pays what is open of an invoice, from a wallet or at the provider",
    source: "spec.md 28",
    input: z.object({ ...one.shape, ...paying }),
    output: z.object({ invoice, payment }),
    problems: ["invoice_settled", ...checkoutProblems],
  }),
} as const;
