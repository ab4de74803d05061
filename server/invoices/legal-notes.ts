// Legal notes on an invoice, by the day of issue: a document keeps the texts of its day.
import type { VatCode } from "#contract/invoices/vat.ts";

/**
 * Codes of UNCL 4451 that French invoices bear: penalties, recovery costs, discount, VAT, register, any
 * other.
 */
export type NoteCode = "PMD" | "PMT" | "AAB" | "TXD" | "REG" | "AAI";

export interface Note {
  code: NoteCode;
  text: string;
}

interface DatedText {
  from: string;
  text: string;
}

/** Oldest first; the last one in force counts. */
const dated: Readonly<Record<"PMD" | "PMT" | "AAB" | "debits", readonly DatedText[]>> = {
  PMD: [
    {
      from: "1900-01-01",
      text: "En cas de retard de paiement, une pénalité égale à trois fois le taux d’intérêt légal est exigible le jour suivant l’échéance, sans rappel (article L. 441-6 du code de commerce).",
    },
    // Ordinance 2019-359 moved the article.
    {
      from: "2019-04-26",
      text: "En cas de retard de paiement, une pénalité égale à trois fois le taux d’intérêt légal est exigible le jour suivant l’échéance, sans rappel (article L. 441-10 du code de commerce).",
    },
  ],
  PMT: [
    {
      from: "1900-01-01",
      text: "Indemnité forfaitaire pour frais de recouvrement en cas de retard\u202f: 40 € (article D. 441-5 du code de commerce).",
    },
  ],
  AAB: [{ from: "1900-01-01", text: "Pas d’escompte en cas de paiement anticipé." }],
  debits: [{ from: "1900-01-01", text: "Option pour le paiement de la taxe d’après les débits." }],
};

const textOn = (texts: readonly DatedText[], day: string): string =>
  texts.findLast(({ from }) => from <= day)?.text ?? "";

/** The notes of a document issued on a day. */
export function notesOn(
  day: string,
  {
    onDebits,
    register,
    reason,
  }: { onDebits: boolean; register: string; reason?: string | undefined },
): Note[] {
  return [
    { code: "PMD", text: textOn(dated.PMD, day) },
    { code: "PMT", text: textOn(dated.PMT, day) },
    { code: "AAB", text: textOn(dated.AAB, day) },
    ...(onDebits ? [{ code: "TXD" as const, text: textOn(dated.debits, day) }] : []),
    { code: "REG", text: register },
    ...(reason ? [{ code: "AAI" as const, text: reason }] : []),
  ];
}

/** Why a rate bears no VAT: the code of the VATEX list, and the text that the law requires. */
export interface Exemption {
  code: string;
  text: string;
}

const exemptions: Partial<Readonly<Record<VatCode, Exemption>>> = {
  exempt: {
    code: "VATEX-EU-132",
    text: "Exonération de TVA, article 261 du code général des impôts",
  },
  franchise: {
    code: "VATEX-FR-FRANCHISE",
    text: "TVA non applicable, article 293 B du code général des impôts",
  },
  reverse_charge: {
    code: "VATEX-EU-AE",
    text: "Autoliquidation par le preneur, article 283-2 du code général des impôts",
  },
  export: {
    code: "VATEX-EU-G",
    text: "Exonération de TVA, article 262 I du code général des impôts",
  },
};

/** Why this rate bears no VAT; null for one that does, or that is 0 %. */
export const exemptionOf = (vat: VatCode): Exemption | null => exemptions[vat] ?? null;
