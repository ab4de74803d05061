// Content of a document, in its stored form: written once when it is issued.
import type { InvoiceKind } from "#contract/invoices/states.ts";
import type { VatCode } from "#contract/invoices/vat.ts";
import type { Allowance, LineInput, Line, VatPart } from "./amounts.ts";
import type { Exemption, Note } from "./legal-notes.ts";
import type { Party, Seller } from "./parties.ts";

/** Subject of a document: one document of each kind for each subject. */
export interface Subject {
  kind: "card_order" | "commission" | "commuting" | "other";
  id: string;
}

/** Delivery of goods, service, or both (decree 2022-1299). */
export type Operation = "goods" | "services" | "mixed";

export interface NewInvoice {
  companyId: string;
  kind: InvoiceKind;
  /** The invoice that a credit note corrects. */
  correctsId?: string;
  subject: Subject;
  lines: readonly LineInput[];
  allowances?: readonly Allowance[];
  /** Paid before it was issued, VAT included. */
  prepaidCents?: number;
  /** Day of issue; raised to the day of the document before it, where that one is later. */
  issuedOn: string;
  dueOn: string;
  /** Day of delivery. Services are delivered on the day of issue by default; for goods nothing is stated. */
  deliveredOn?: string | null;
  /** Services of a span of days, both included. */
  period?: { from: string; to: string };
  /** Goods for an order of cards, services otherwise, by default. */
  operation?: Operation;
  /** Reason for issuing it, in words; stated on a credit note. */
  reason?: string;
  /** Netted against what the scheme owes, with this text: nobody has to make a transfer. */
  netting?: string;
}

/** Column `content` of an invoice. */
export interface InvoiceContent {
  seller: Seller;
  buyer: Party;
  operation: Operation;
  /** BT-72; null while it is not known, as of goods that are still made. */
  deliveredOn: string | null;
  period: { from: string; to: string } | null;
  corrects: { number: string; issuedOn: string } | null;
  lines: Line[];
  allowances: Allowance[];
  vat: (VatPart & { exemption: Exemption | null })[];
  notes: Note[];
  /** Text of the netting against what the scheme owes; without it, the invoice is paid by transfer. */
  netting?: string;
}

/** The rate that the issuer charges: none at all where article 293 B applies. */
export const owedRate = (vat: VatCode, regime: Seller["vatRegime"]): VatCode =>
  regime === "franchise" ? "franchise" : vat;
