// How an IBAN is shown. Whether it is one is the server's to say (server/companies/bank-change.ts).

/** « FR76 3000 4028 … », in groups of four as banks print it. */
export const groupIban = (iban: string): string => (iban.match(/.{1,4}/g) ?? []).join("\u00A0");

/** « FR76 •••• 0189 »: enough to know it again, not to use it. */
export const maskedIban = (iban: string): string =>
  `${iban.slice(0, 4)}\u00A0••••\u00A0${iban.slice(-4)}`;
