// What a document says, in the form in which it is kept: written once when it is issued.
import type { InvoiceKind } from "#contract/invoices/states.ts";
import type { VatCode } from "#contract/invoices/vat.ts";
import type { Allowance, LineInput, Line, VatPart } from "./amounts.ts";
import type { Exemption, Note } from "./legal-notes.ts";
import type { Party, Seller } from "./parties.ts";

/** What a document is about: one document of each kind for each subject. */
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
  /** Raised to the day of the document before it, where that one is later. */
  issuedOn: string;
  dueOn: string;
  /** When it was delivered. Services are on the day of issue unless told; of goods nothing is said. */
  deliveredOn?: string | null;
  /** Services of a span of days, both included. */
  period?: { from: string; to: string };
  /** Goods for an order of cards, services otherwise, unless told. */
  operation?: Operation;
  /** Why it is issued, in words; a credit note says it. */
  reason?: string;
  /** Kept back from what the scheme owes, told in these words: nobody has to transfer anything. */
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
  /** How it is kept back from what the scheme owes; without it, it is paid by transfer. */
  netting?: string;
}

/** The rate as the issuer owes it: none at all where article 293 B applies. */
export const owedRate = (vat: VatCode, regime: Seller["vatRegime"]): VatCode =>
  regime === "franchise" ? "franchise" : vat;
