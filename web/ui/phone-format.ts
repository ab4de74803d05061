// A phone number as it is read.

/** « 06 12 34 56 78 » for a French number, the international form for another. */
export const frenchPhone = (e164: string): string =>
  /^\+33\d{9}$/.test(e164) ? `0${e164.slice(3)}`.replaceAll(/(\d\d)(?=\d)/g, "$1 ") : e164;
