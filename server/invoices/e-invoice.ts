// Data common to both syntaxes of the electronic invoice (EN 16931, and XP Z12-012 for France).
import type { InvoiceKind } from "#contract/invoices/states.ts";
import type { InvoiceContent } from "./content.ts";
import type { Party } from "./parties.ts";

/** An issued document, as its row keeps it; amounts in cents. */
export interface InvoiceDocument {
  number: string;
  reference: string;
  kind: InvoiceKind;
  issuedOn: string;
  dueOn: string;
  netCents: number;
  vatCents: number;
  totalCents: number;
  prepaidCents: number;
  dueCents: number;
  content: InvoiceContent;
}

/** BT-24: the core norm itself. */
export const guideline = "urn:cen.eu:en16931:2017";

/** BT-3 of UNCL 1001. */
export const typeCodeOf = ({ kind }: InvoiceDocument): string =>
  kind === "invoice" ? "380" : "381";

/** BT-23: goods, services or both; 1 a first sending, 2 a document that is paid already. */
export function businessProcessOf({
  prepaidCents,
  dueCents,
  content,
}: Pick<InvoiceDocument, "prepaidCents" | "dueCents" | "content">): string {
  const letter = { goods: "B", services: "S", mixed: "M" }[content.operation];
  return `${letter}${prepaidCents > 0 && dueCents === 0 ? 2 : 1}`;
}

/** How the platform must process it: within France, or across a border. */
const treatmentOf = ({ content }: InvoiceDocument): string =>
  content.buyer.country === "FR" ? "B2B" : "B2BINT";

/** BG-1: the legal notes by their codes, and the treatment. */
export const notesOf = (document: InvoiceDocument): { code: string; text: string }[] => [
  ...document.content.notes,
  { code: "BAR", text: treatmentOf(document) },
];

/** Schemes of electronic addresses that are a VAT number, by country (EAS). */
const vatSchemes: Readonly<Record<string, string>> = {
  AT: "9914",
  BE: "9925",
  BG: "9926",
  CH: "9927",
  CY: "9928",
  CZ: "9929",
  DE: "9930",
  EE: "9931",
  ES: "9920",
  GB: "9932",
  GR: "9933",
  HR: "9934",
  HU: "9910",
  IE: "9935",
  IT: "0211",
  LI: "9936",
  LT: "9937",
  LU: "9938",
  LV: "9939",
  MC: "9940",
  MT: "9943",
  NL: "9944",
  PL: "9945",
  PT: "9946",
  RO: "9947",
  SI: "9949",
  SK: "9950",
};

/** Electronic address of a party: its SIREN in the French directory, or its VAT number elsewhere. */
export function endpointOf({
  siren,
  vatNumber,
  country,
}: Party): { id: string; scheme: string } | null {
  if (siren) return { id: siren, scheme: "0225" };
  const scheme = vatSchemes[country];
  return vatNumber && scheme ? { id: vatNumber, scheme } : null;
}

/** Sum of the lines, before allowances. */
export const linesCents = ({ content }: InvoiceDocument): number =>
  content.lines.reduce((sum, { cents }) => sum + cents, 0);

export const allowancesCents = ({ content }: InvoiceDocument): number =>
  content.allowances.reduce((sum, { cents }) => sum + cents, 0);

/**
 * Whether it states a due date (BT-9): an open amount does, and one paid already, whose payment date it then
 * is (BR-FR-CO-09).
 */
export const saysDueDate = ({ dueCents, prepaidCents }: InvoiceDocument): boolean =>
  dueCents > 0 || prepaidCents > 0;

/** Whether VAT is due on debits by option, as of the day of issue. */
export const owesOnDebits = ({ content }: InvoiceDocument): boolean =>
  content.notes.some(({ code }) => code === "TXD");
