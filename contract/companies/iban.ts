// How an IBAN is typed and shown. The server validates it (server/companies/account-parts.ts).

/**
 * A typed or pasted IBAN in the form that banks exchange: « IBAN : fr76 3000… » without its word and its
 * spaces.
 */
export const electronicIban = (typed: string): string =>
  typed
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .toUpperCase()
    .replace(/^IBAN(?=[A-Z]{2}\d{2})/, "");

/** The same for a BIC. */
export const electronicBic = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/^[^A-Z0-9]*BIC[^A-Z0-9]+/, "")
    .replaceAll(/[^A-Z0-9]/g, "");

/** The European Economic Area, by the countries of its IBANs. */
const economicArea =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK";

/** Whether a SEPA transfer to an account asks for its BIC: outside the European Economic Area it does. */
export const needsBic = (iban: string): boolean =>
  /^[A-Z]{2}\d{2}/.test(iban) && !economicArea.includes(iban.slice(0, 2));

/** « FR76 3000 4028 … », in groups of four as banks print it. */
export const groupIban = (iban: string): string => (iban.match(/.{1,4}/g) ?? []).join("\u00A0");

/** « FR76 •••• 0189 »: enough to recognise it, not to use it. */
export const maskIban = (iban: string): string =>
  `${iban.slice(0, 4)}\u00A0••••\u00A0${iban.slice(-4)}`;
