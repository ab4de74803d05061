// The payout batch as pain.001.001.09, by the SEPA rules from November 2026: characters of the SEPA set,
// structured addresses, IBAN alone (the bank finds the BIC), amounts in euros.
import { sepaText } from "#contract/companies/sepa-text.ts";
import { escapeHtml } from "#server/http/document.ts";

/** Name, address and account of the payer or of a payee. */
export interface PaymentParty {
  name: string;
  street: string;
  postcode: string;
  town: string;
  iban: string;
  bic: string | null;
}

export interface CreditTransfer {
  /** Returned in the bank's answer and on the payee's bank statement. */
  endToEndId: string;
  amountCents: number;
  creditor: PaymentParty;
  /** Text on the payee's bank statement. */
  remittance: string;
}

export interface CreditTransferBatch {
  messageId: string;
  madeAt: Date;
  /** YYYY-MM-DD. */
  executeOn: string;
  debtor: PaymentParty;
  transfers: readonly CreditTransfer[];
}

export const namespace = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09";

const tag = (name: string, content: string): string =>
  content === "" ? "" : `<${name}>${content}</${name}>`;
const words = (name: string, text: string, max: number): string =>
  tag(name, escapeHtml(sepaText(text, max)));

/** Splits « 12 bis » from « rue des Embruns »; a street without a number stays whole. */
function streetAndNumber(street: string): { number: string; name: string } {
  const found = /^(\d{1,5}(?:\s?(?:bis|ter|quater|[A-Z]))?),?\s+(\S.*)$/i.exec(street.trim());
  return { number: found?.[1] ?? "", name: found?.[2] ?? street };
}

/** Every part in its own element: free lines alone are refused by SEPA from November 2026. */
function addressOf({ street, postcode, town, iban }: PaymentParty): string {
  const { number, name } = streetAndNumber(street);
  return tag(
    "PstlAdr",
    words("StrtNm", name, 70) +
      words("BldgNb", number, 16) +
      words("PstCd", postcode, 16) +
      words("TwnNm", town, 35) +
      tag("Ctry", iban.slice(0, 2) === "MC" ? "MC" : "FR"),
  );
}

const partyOf = (party: PaymentParty): string => words("Nm", party.name, 70) + addressOf(party);
const accountOf = ({ iban }: PaymentParty): string => tag("Id", tag("IBAN", iban));
const agentOf = ({ bic }: PaymentParty): string =>
  tag("FinInstnId", bic === null ? tag("Othr", tag("Id", "NOTPROVIDED")) : tag("BICFI", bic));
const amount = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

function transferOf(transfer: CreditTransfer): string {
  const { endToEndId, amountCents, creditor, remittance } = transfer;
  return tag(
    "CdtTrfTxInf",
    tag("PmtId", words("InstrId", endToEndId, 35) + words("EndToEndId", endToEndId, 35)) +
      tag("Amt", `<InstdAmt Ccy="EUR">${amount(amountCents)}</InstdAmt>`) +
      (creditor.bic === null ? "" : tag("CdtrAgt", agentOf(creditor))) +
      tag("Cdtr", partyOf(creditor)) +
      tag("CdtrAcct", accountOf(creditor)) +
      tag("RmtInf", words("Ustrd", remittance, 140)),
  );
}

/** The message, elements in the order of the schema; one element for each transfer. */
export function pain001(batch: CreditTransferBatch): string {
  const { messageId, madeAt, executeOn, debtor, transfers } = batch;
  const sum = amount(transfers.reduce((cents, one) => cents + one.amountCents, 0));
  const counted = tag("NbOfTxs", String(transfers.length)) + tag("CtrlSum", sum);
  const header = tag(
    "GrpHdr",
    tag("MsgId", messageId) +
      tag("CreDtTm", madeAt.toISOString().replace(/\.\d{3}Z$/, "Z")) +
      counted +
      tag("InitgPty", words("Nm", debtor.name, 70)),
  );
  const service = tag("PmtTpInf", tag("SvcLvl", tag("Cd", "SEPA")));
  const payment =
    tag("PmtInfId", messageId) +
    tag("PmtMtd", "TRF") +
    tag("BtchBookg", "true") +
    counted +
    service +
    tag("ReqdExctnDt", tag("Dt", executeOn)) +
    tag("Dbtr", partyOf(debtor)) +
    tag("DbtrAcct", accountOf(debtor)) +
    tag("DbtrAgt", agentOf(debtor)) +
    tag("ChrgBr", "SLEV") +
    `\n${transfers.map(transferOf).join("\n")}\n`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">\n` +
    tag("CstmrCdtTrfInitn", `\n${header}\n${tag("PmtInf", payment)}\n`) +
    "\n</Document>\n"
  );
}
