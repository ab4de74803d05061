// Amounts of an invoice, in cents: lines, VAT by rate on the sum of the rate, totals.
import { formatMoney } from "#contract/french.ts";
import { Problem } from "#contract/errors.ts";
import { invoices as limits } from "#contract/invoices/limits.ts";
import { type VatCode, vatOf, vatRates } from "#contract/invoices/vat.ts";

export interface LineInput {
  label: string;
  quantity: number;
  /** Without VAT. */
  unitCents: number;
  vat: VatCode;
}

/** Taken off the sum of a rate, without VAT. */
export interface Allowance {
  label: string;
  cents: number;
  vat: VatCode;
}

export interface Line extends LineInput {
  /** Quantity times price, without VAT. */
  cents: number;
}

/** Amounts of one rate. */
export interface VatPart {
  vat: VatCode;
  basisCents: number;
  vatCents: number;
}

export interface Amounts {
  lines: Line[];
  allowances: Allowance[];
  vat: VatPart[];
  netCents: number;
  vatCents: number;
  totalCents: number;
  prepaidCents: number;
  dueCents: number;
}

/** Limit for amounts in the database and in the documents. */
const maxCents = 1_000_000_000;

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
const refuse = (why: string): never => {
  throw new Problem("invoice_content", { why });
};

/** The amounts of a document; refuses `invoice_content` for an invalid invoice. */
export function amountsOf(
  lineInputs: readonly LineInput[],
  allowances: readonly Allowance[],
  prepaidCents: number,
): Amounts {
  if (lineInputs.length === 0 || lineInputs.length > limits.maxLines) {
    refuse(`elle a ${lineInputs.length} ligne(s), de 1 à ${limits.maxLines}`);
  }
  const lines = lineInputs.map(lineOf);
  for (const { label, cents } of allowances) {
    if (label.trim() === "" || !Number.isSafeInteger(cents) || cents <= 0) {
      refuse("une remise n'a ni motif ni montant");
    }
  }
  const codes = [...new Set([...lines, ...allowances].map(({ vat }) => vat))];
  const vat = codes.map((code) => partOf(code, lines, allowances));
  // EN 16931 knows one sum for each category that bears no VAT (BR-E-01 and its like).
  const bare = vat.map(({ vat: code }) => vatRates[code].category).filter((one) => one !== "S");
  if (new Set(bare).size < bare.length) refuse("deux motifs d'exonération s'y mêlent");
  return totalsOf({ lines, allowances: [...allowances] }, vat, prepaidCents);
}

/** The totals of parts by rate; refuses `invoice_content` for an invalid invoice. */
export function totalsOf(
  { lines, allowances }: Pick<Amounts, "lines" | "allowances">,
  vat: VatPart[],
  prepaidCents: number,
): Amounts {
  const netCents = sum(vat.map(({ basisCents }) => basisCents));
  const vatCents = sum(vat.map((part) => part.vatCents));
  const totalCents = netCents + vatCents;
  if (totalCents > maxCents) refuse(`son total dépasse ${formatMoney(maxCents)}`);
  if (!Number.isSafeInteger(prepaidCents) || prepaidCents < 0 || prepaidCents > totalCents) {
    refuse("l'acompte dépasse le total");
  }
  const dueCents = totalCents - prepaidCents;
  return { lines, allowances, vat, netCents, vatCents, totalCents, prepaidCents, dueCents };
}

function lineOf(line: LineInput): Line {
  const { label, quantity, unitCents } = line;
  if (label.trim() === "" || label.length > limits.longestLabel) {
    refuse(`une ligne a de 1 à ${limits.longestLabel} caractères`);
  }
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > limits.maxQuantity) {
    refuse(`la quantité de «\u00a0${label.slice(0, 60)}\u00a0» n'est pas un nombre entier`);
  }
  if (!Number.isSafeInteger(unitCents) || unitCents < 0 || unitCents > maxCents) {
    refuse(`le prix de «\u00a0${label.slice(0, 60)}\u00a0» n'est pas un montant`);
  }
  return { ...line, label: label.trim(), cents: quantity * unitCents };
}

function partOf(code: VatCode, lines: readonly Line[], allowances: readonly Allowance[]): VatPart {
  const of = (all: readonly (Line | Allowance)[]) =>
    sum(all.filter(({ vat }) => vat === code).map(({ cents }) => cents));
  const basisCents = of(lines) - of(allowances);
  if (basisCents < 0) refuse("une remise dépasse ce dont elle est déduite");
  return { vat: code, basisCents, vatCents: vatOf(basisCents, code) };
}
