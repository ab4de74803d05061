// VAT of invoices: the rates by code, and the one function that rounds it.

/** Category of EN 16931 (UNCL 5305): standard, zero, exempt, reverse charge, export outside the Union. */
export type VatCategory = "S" | "Z" | "E" | "AE" | "G";

interface VatRate {
  category: VatCategory;
  /** The rate in basis points: 2000 is 20 %. */
  basisPoints: number;
  /** On screens and on paper. */
  name: string;
}

/** Rates of the French tax code, by the code that callers give. */
export const vatRates = {
  normal: { category: "S", basisPoints: 2000, name: "20\u00a0%" },
  intermediate: { category: "S", basisPoints: 1000, name: "10\u00a0%" },
  reduced: { category: "S", basisPoints: 550, name: "5,5\u00a0%" },
  super_reduced: { category: "S", basisPoints: 210, name: "2,1\u00a0%" },
  zero: { category: "Z", basisPoints: 0, name: "0\u00a0%" },
  /** Operations that article 261 exempts. */
  exempt: { category: "E", basisPoints: 0, name: "Exonéré" },
  /** The issuer owes no VAT at all: article 293 B. */
  franchise: { category: "E", basisPoints: 0, name: "Non applicable" },
  reverse_charge: { category: "AE", basisPoints: 0, name: "Autoliquidation" },
  export: { category: "G", basisPoints: 0, name: "Exportation" },
} as const satisfies Record<string, VatRate>;
export type VatCode = keyof typeof vatRates;

export const vatCodes = Object.keys(vatRates) as [VatCode, ...VatCode[]];

/** The VAT of what all lines of one rate add up to, in cents, half a cent upwards. */
export const vatOf = (basisCents: number, code: VatCode): number =>
  Math.floor((2 * basisCents * vatRates[code].basisPoints + 10_000) / 20_000);
