// The numbers by which France knows a company: SIREN (9 digits), SIRET (SIREN and 5 digits of one of its
// places), and the VAT number made of the SIREN. Both registers check them by the same sum.

/** La Poste has more places than the sum of Luhn allows: theirs add up to a multiple of 5. */
const laPoste = "356000000";

/** Whether nine digits are a SIREN: their sum of Luhn is a multiple of 10, and they are not all zeros. */
export const isSiren = (digits: string): boolean =>
  /^(?!0+$)\d{9}$/.test(digits) && luhn(digits) % 10 === 0;

/** Whether fourteen digits are a SIRET: a SIREN, and the sum of Luhn again (La Poste: of its digits). */
export function isSiret(digits: string): boolean {
  if (!/^\d{14}$/.test(digits) || !isSiren(digits.slice(0, 9))) return false;
  if (luhn(digits) % 10 === 0) return true;
  return digits.startsWith(laPoste) && sumOf(digitsOf(digits)) % 5 === 0;
}

/** The VAT number that belongs to a SIREN: "FR", two digits of control, the SIREN. */
export function vatNumberOf(siren: string): string {
  const control = (12 + 3 * (Number(siren) % 97)) % 97;
  return `FR${String(control).padStart(2, "0")}${siren}`;
}

/** « 900 123 459 » and « 900 123 459 00012 », as they are read aloud. */
export const groupSiren = (digits: string): string =>
  [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 9), digits.slice(9)]
    .filter(Boolean)
    .join("\u00A0");

function luhn(digits: string): number {
  const values = digitsOf(digits)
    .toReversed()
    .map((digit, place) => (place % 2 === 0 ? digit : digit * 2));
  return sumOf(values.map((value) => (value > 9 ? value - 9 : value)));
}

const digitsOf = (digits: string) => digits.split("").map(Number);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
