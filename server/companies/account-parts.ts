// The parts of a bank account as somebody types them, wherever money may be sent: IBAN, BIC, holder.
import { isValidBIC, isValidIBAN } from "ibantools";
import { electronicBic, electronicIban, needsBic } from "#contract/companies/iban.ts";
import { isBankName } from "#contract/companies/sepa-text.ts";
import { Problem } from "#contract/errors.ts";

/** A typed IBAN in the form that banks exchange. Refuses `iban_invalid`. */
export function ibanOf(typed: string): string {
  const iban = electronicIban(typed);
  if (!isValidIBAN(iban)) throw new Problem("iban_invalid");
  return iban;
}

/**
 * A typed BIC, null for none. Refuses `bank_bic_invalid`, and `bank_bic_missing` where the IBAN's country
 * asks for it.
 */
export function bicOf(typed: string | null, iban: string): string | null {
  const bic = electronicBic(typed ?? "") || null;
  if (bic === null && needsBic(iban)) throw new Problem("bank_bic_missing");
  if (bic !== null && !isValidBIC(bic)) throw new Problem("bank_bic_invalid");
  return bic;
}

/** The name of an account's holder. Refuses `bank_holder_letters` for a name that no bank can read. */
export function requireBankName(name: string): string {
  if (!isBankName(name)) throw new Problem("bank_holder_letters");
  return name;
}
