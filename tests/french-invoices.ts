// Rules of XP Z12-012 on invoices between companies in France, alike in both syntaxes: what a document says is
// read from its XML first. The official schematrons are run by hand (docs/decisions/019-invoices.md).
import { all, readXml, type XmlNode } from "./en16931.ts";

/** What the rules look at, whatever the syntax. */
interface Facts {
  /** BT-1, BT-2, BT-3, BT-9, BT-23. */
  number: string;
  issuedOn: string;
  type: string;
  dueOn: string | null;
  process: string;
  notes: { code: string; text: string }[];
  /** BT-25 and BT-26 of each invoice that it corrects. */
  corrects: { number: string; issuedOn: string }[];
  total: string;
  prepaid: string;
  payable: string;
  seller: Identity;
  buyer: Identity & { country: string };
  rates: { category: string; percent: number }[];
}

/** Numbers of a party with their schemes, « 0002:552100554 », and where it receives. */
interface Identity {
  legal: string | null;
  establishments: string[];
  endpoint: string | null;
}

const textOf = (node: XmlNode, path: string): string | null => all(node, path)[0]?.text ?? null;
const withScheme = ({ text, attributes }: XmlNode) => `${attributes["schemeID"]}:${text}`;
const schemeOf = (node: XmlNode, path: string): string | null =>
  all(node, path).map(withScheme)[0] ?? null;
const isoDay = (day: string) => day.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");

/** Codes of the French rules that a document breaks; empty where it keeps them. */
export function brokenFrenchRules(xml: string): string[] {
  const root = readXml(xml).inside[0];
  if (!root) return ["root"];
  const facts = root.name === "rsm:CrossIndustryInvoice" ? ciiFacts(root) : ublFacts(root);
  const rules = { ...rulesOnDates(facts), ...rulesOnParties(facts), ...rulesOnCodes(facts) };
  return Object.entries(rules).flatMap(([code, holds]) => (holds ? [] : [code]));
}

function rulesOnDates(facts: Facts): Record<string, boolean> {
  const { type, process, corrects, issuedOn, dueOn, total, prepaid, payable } = facts;
  const isPaid = /^[BSM]2$/.test(process);
  return {
    "BR-FR-03": /^20\d\d-\d\d-\d\d$/.test(issuedOn),
    "BR-FR-CO-05":
      type !== "381" ||
      (corrects.length > 0 && corrects.every((one) => one.number !== "" && one.issuedOn !== "")),
    "BR-FR-CO-07": isPaid || dueOn === null || dueOn >= issuedOn,
    "BR-FR-CO-09": !isPaid || (prepaid === total && payable === "0.00" && dueOn !== null),
  };
}

function rulesOnParties({ seller, buyer }: Facts): Record<string, boolean> {
  const isSiren = (legal: string | null) => /^0002:\d{9}$/.test(legal ?? "");
  const sirenOf = (legal: string | null) => legal?.slice("0002:".length) ?? "";
  const establishedUnder = ({ legal, establishments }: Identity) =>
    establishments.every(
      (one) => /^0009:\d{14}$/.test(one) && one.slice("0009:".length).startsWith(sirenOf(legal)),
    );
  const isEndpoint = ({ endpoint, legal }: Identity) =>
    !endpoint?.startsWith("0225:") || endpoint.slice("0225:".length).startsWith(sirenOf(legal));
  return {
    "BR-FR-09": establishedUnder(seller) && establishedUnder(buyer),
    "BR-FR-10": isSiren(seller.legal),
    "BR-FR-11": buyer.country !== "FR" || isSiren(buyer.legal),
    "BR-FR-12": buyer.country !== "FR" || buyer.endpoint !== null,
    "BR-FR-13": seller.endpoint !== null,
    "BR-FR-21": isEndpoint(buyer),
    "BR-FR-22": isEndpoint(seller),
  };
}

const frenchPercents = new Set([
  0, 0.9, 1.05, 1.75, 2.1, 5.5, 7, 8.5, 9.2, 9.6, 10, 13, 19.6, 20, 20.6,
]);

function rulesOnCodes({ number, type, process, notes, rates }: Facts): Record<string, boolean> {
  const codes = notes.map(({ code }) => code);
  return {
    "BR-FR-02": /^[\w+/-]{1,35}$/.test(number),
    "BR-FR-04": ["380", "381"].includes(type),
    "BR-FR-05": ["PMD", "PMT", "AAB"].every((code) => codes.includes(code)),
    "BR-FR-06": new Set(codes).size === codes.length,
    "BR-FR-08": /^[BSM][1-8]$/.test(process),
    "BR-FR-15": rates.every(({ category }) =>
      ["S", "E", "AE", "K", "G", "O", "Z"].includes(category),
    ),
    "BR-FR-16": rates.every(({ percent }) => frenchPercents.has(percent)),
    "BR-FR-20": notes
      .filter(({ code }) => code === "BAR")
      .every(({ text }) => ["B2B", "B2BINT", "B2C", "OUTOFSCOPE", "ARCHIVEONLY"].includes(text)),
  };
}

function ciiFacts(root: XmlNode): Facts {
  const document = "rsm:ExchangedDocument";
  const trade = "rsm:SupplyChainTradeTransaction";
  const agreement = `${trade}/ram:ApplicableHeaderTradeAgreement`;
  const settlement = `${trade}/ram:ApplicableHeaderTradeSettlement`;
  const sums = `${settlement}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
  const text = (path: string) => textOf(root, path) ?? "";
  const dueOn = textOf(
    root,
    `${settlement}/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString`,
  );
  const party = (path: string): Identity => ({
    legal: schemeOf(root, `${path}/ram:SpecifiedLegalOrganization/ram:ID`),
    establishments: all(root, `${path}/ram:GlobalID`).map(withScheme),
    endpoint: schemeOf(root, `${path}/ram:URIUniversalCommunication/ram:URIID`),
  });
  return {
    number: text(`${document}/ram:ID`),
    issuedOn: isoDay(text(`${document}/ram:IssueDateTime/udt:DateTimeString`)),
    type: text(`${document}/ram:TypeCode`),
    dueOn: dueOn && isoDay(dueOn),
    process: text(
      "rsm:ExchangedDocumentContext/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID",
    ),
    notes: all(root, `${document}/ram:IncludedNote`).map((note) => ({
      code: textOf(note, "ram:SubjectCode") ?? "",
      text: textOf(note, "ram:Content") ?? "",
    })),
    corrects: all(root, `${settlement}/ram:InvoiceReferencedDocument`).map((one) => ({
      number: textOf(one, "ram:IssuerAssignedID") ?? "",
      issuedOn: textOf(one, "ram:FormattedIssueDateTime/qdt:DateTimeString") ?? "",
    })),
    total: text(`${sums}/ram:GrandTotalAmount`),
    prepaid: text(`${sums}/ram:TotalPrepaidAmount`),
    payable: text(`${sums}/ram:DuePayableAmount`),
    seller: party(`${agreement}/ram:SellerTradeParty`),
    buyer: {
      ...party(`${agreement}/ram:BuyerTradeParty`),
      country: text(`${agreement}/ram:BuyerTradeParty/ram:PostalTradeAddress/ram:CountryID`),
    },
    rates: all(root, `${settlement}/ram:ApplicableTradeTax`).map((tax) => ({
      category: textOf(tax, "ram:CategoryCode") ?? "",
      percent: Number(textOf(tax, "ram:RateApplicablePercent")),
    })),
  };
}

function ublFacts(root: XmlNode): Facts {
  const text = (path: string) => textOf(root, path) ?? "";
  const buyer = "cac:AccountingCustomerParty/cac:Party";
  const party = (path: string): Identity => ({
    legal: schemeOf(root, `${path}/cac:PartyLegalEntity/cbc:CompanyID`),
    establishments: all(root, `${path}/cac:PartyIdentification/cbc:ID`).map(withScheme),
    endpoint: schemeOf(root, `${path}/cbc:EndpointID`),
  });
  const isCredit = root.name === "CreditNote";
  return {
    number: text("cbc:ID"),
    issuedOn: text("cbc:IssueDate"),
    type: text(`cbc:${root.name}TypeCode`),
    dueOn: textOf(root, isCredit ? "cac:PaymentMeans/cbc:PaymentDueDate" : "cbc:DueDate"),
    process: text("cbc:ProfileID"),
    notes: all(root, "cbc:Note").map((note) => {
      const [, code = "", said = ""] = /^#(\w+)#(.*)$/s.exec(note.text) ?? [];
      return { code, text: said };
    }),
    corrects: all(root, "cac:BillingReference/cac:InvoiceDocumentReference").map((one) => ({
      number: textOf(one, "cbc:ID") ?? "",
      issuedOn: textOf(one, "cbc:IssueDate") ?? "",
    })),
    total: text("cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount"),
    prepaid: text("cac:LegalMonetaryTotal/cbc:PrepaidAmount"),
    payable: text("cac:LegalMonetaryTotal/cbc:PayableAmount"),
    seller: party("cac:AccountingSupplierParty/cac:Party"),
    buyer: {
      ...party(buyer),
      country: text(`${buyer}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`),
    },
    rates: all(root, "cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory").map((tax) => ({
      category: textOf(tax, "cbc:ID") ?? "",
      percent: Number(textOf(tax, "cbc:Percent")),
    })),
  };
}
