// IBAN and BIC: how a bank account is named in the euro area's payments (SEPA). Both sides check them by
// the same sum before a transfer leaves.

/** Length of an IBAN by country, for those that SEPA reaches. */
const lengths: Readonly<Record<string, number>> = {
  AD: 24,
  AL: 28,
  AT: 20,
  BE: 16,
  BG: 22,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  GI: 23,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  RS: 22,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  VA: 22,
};

/** Letters and digits alone, in capitals: people type and paste spaces, dots and dashes. */
export const compactIban = (typed: string): string =>
  typed.replaceAll(/[\s.\u2010-\u2015-]/g, "").toUpperCase();

/**
 * Why a compact IBAN is none: `country` where SEPA does not reach it, `digits` when its length or its
 * sum (ISO 13616, modulo 97) is wrong; null when it is good.
 */
export function ibanFault(iban: string): "country" | "digits" | null {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban)) return "digits";
  const length = lengths[iban.slice(0, 2)];
  if (length === undefined) return "country";
  return iban.length === length && remainderOf(iban) === 1 ? null : "digits";
}

/** The account, then the country and its control; letters count from 10; modulo 97, digit by digit. */
function remainderOf(iban: string): number {
  let remainder = 0;
  for (const letter of `${iban.slice(4)}${iban.slice(0, 4)}`) {
    for (const digit of String(Number.parseInt(letter, 36))) {
      remainder = (remainder * 10 + Number(digit)) % 97;
    }
  }
  return remainder;
}

/** Whether it has the form of a BIC: bank, country, place, and perhaps a branch. */
export const isBic = (bic: string): boolean => /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic);

/** « FR76 3000 4028 … », in groups of four as banks print it. */
export const groupIban = (iban: string): string => (iban.match(/.{1,4}/g) ?? []).join("\u00A0");

/** « FR76 •••• 0189 »: enough to know it again, not to use it. */
export const maskedIban = (iban: string): string =>
  `${iban.slice(0, 4)}\u00A0••••\u00A0${iban.slice(-4)}`;
