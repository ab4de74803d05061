// The scheme's legal identity: issuer of invoices and payer of partners. A JSON file that the setting
// ISSUER_FILE names; the demo has a fictitious one.
import { readFileSync } from "node:fs";
import { isValidBIC, isValidIBAN } from "ibantools";
import * as z from "zod/mini";
import { electronicBic, electronicIban } from "#contract/companies/iban.ts";
import { isSiret, vatNumberOf } from "#contract/companies/siren.ts";
import { email } from "#contract/endpoint.ts";

/** When VAT is due: at payment (services), at the invoice by option (« les débits »), or never (293 B). */
const vatRegimes = ["normal", "debits", "franchise"] as const;

const short = z.string().check(z.minLength(1), z.maxLength(200));
const issuer = z.strictObject({
  /** Legal name. */
  name: short,
  /** « SAS au capital de 50 000 € ». */
  legalForm: short,
  /** Of the registered office. */
  siret: z.string().check(
    z.overwrite((typed) => typed.replaceAll(/\s/g, "")),
    z.refine(isSiret),
  ),
  /** « RCS Saint-Malo 900 123 001 ». */
  register: short,
  vatRegime: z.enum(vatRegimes),
  street: short,
  postcode: z.string().check(z.regex(/^\d{5}$/)),
  town: short,
  email,
  phone: short,
  /** The account to which companies pay and from which partners are paid. */
  iban: z.string().check(
    z.overwrite(electronicIban),
    z.refine((iban) => isValidIBAN(iban)),
  ),
  bic: z.string().check(
    z.overwrite(electronicBic),
    z.refine((bic) => isValidBIC(bic)),
  ),
});

export type Issuer = z.output<typeof issuer> & { siren: string; vatNumber: string | null };

/** Parses the issuer from JSON text; throws on anything else, naming the fields. */
export function parseIssuer(text: string): Issuer {
  const parsed = z.safeParse(issuer, JSON.parse(text));
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path, code }) => path.join(".") || code);
    throw new Error([...new Set(fields)].join(", "));
  }
  const siren = parsed.data.siret.slice(0, 9);
  const vatNumber = parsed.data.vatRegime === "franchise" ? null : vatNumberOf(siren);
  return { ...parsed.data, siren, vatNumber };
}

/** Reads the issuer from a file, as `parseIssuer` does. */
export const readIssuer = (path: string): Issuer => parseIssuer(readFileSync(path, "utf8"));

/** The fictitious scheme of the demo. */
export const demoIssuer: Issuer = {
  name: "Ma carte Lagune",
  legalForm: "SAS au capital de 50 000 €",
  siret: "90012300100019",
  siren: "900123001",
  vatNumber: "FR80900123001",
  register: "RCS Saint-Malo 900 123 001",
  vatRegime: "debits",
  street: "1 esplanade du Port",
  postcode: "35400",
  town: "Port-Lagune",
  email: "facturation@ma-carte.exemple.fr",
  phone: "01 99 00 00 00",
  iban: "FR7630006000011234567890189",
  bic: "AGRIFRPP",
};
