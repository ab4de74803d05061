// The rules of EN 16931 that a wrong number breaks, read from the XML itself: arithmetic, presence, and
// what each VAT category wants. The official schematron is run by hand (docs/decisions/019-invoices.md).

/** An element of XML: its text where it has no element inside. */
export interface XmlNode {
  name: string;
  text: string;
  attributes: Readonly<Record<string, string>>;
  inside: XmlNode[];
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
};
const unescaped = (text: string) => text.replaceAll(/&\w+;/g, (one) => entities[one] ?? one);

/** Reads XML that has elements, attributes and text alone; throws where its tags do not match. */
export function readXml(xml: string): XmlNode {
  const root: XmlNode = { name: "", text: "", attributes: {}, inside: [] };
  const open = [root];
  for (const [, closes, name = "", attributeText = "", text = ""] of xml
    .replace(/^<\?xml[^>]*\?>/, "")
    .matchAll(/<(\/?)([\w:]+)([^>]*)>([^<]*)/g)) {
    if (closes) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    const attributes = Object.fromEntries(
      [...attributeText.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key, value = ""]) => [
        key,
        unescaped(value),
      ]),
    );
    const node = { name, text: unescaped(text), attributes, inside: [] };
    open.at(-1)?.inside.push(node);
    open.push(node);
  }
  if (open.length !== 1) throw new Error("an element stays open");
  return root;
}

/** Every element that a path of names leads to. */
export function all(node: XmlNode, path: string): XmlNode[] {
  return path
    .split("/")
    .reduce<XmlNode[]>(
      (found, name) => found.flatMap(({ inside }) => inside.filter((one) => one.name === name)),
      [node],
    );
}

const first = (node: XmlNode, path: string): string | null => all(node, path)[0]?.text ?? null;
const cents = (text: string | null): number => {
  if (text === null) return 0;
  if (!/^-?\d+(\.\d\d)?$/.test(text)) throw new Error(`${text} is no amount of two decimals`);
  return Math.round(Number(text) * 100);
};
const sum = (nodes: readonly XmlNode[]) =>
  nodes.reduce((total, { text }) => total + cents(text), 0);

/** Codes of the rules that a CII document breaks; empty where it keeps them. */
export function brokenRules(xml: string): string[] {
  const invoice = all(readXml(xml), "rsm:CrossIndustryInvoice")[0];
  if (!invoice) return ["root"];
  return [...brokenPresence(invoice), ...brokenTotals(invoice), ...brokenVat(invoice)];
}

const trade = "rsm:SupplyChainTradeTransaction";
const settlement = `${trade}/ram:ApplicableHeaderTradeSettlement`;
const totals = `${settlement}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
const agreement = `${trade}/ram:ApplicableHeaderTradeAgreement`;
const line = `${trade}/ram:IncludedSupplyChainTradeLineItem`;

const failing = (rules: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(rules).flatMap(([code, holds]) => (holds ? [] : [code]));

function brokenPresence(invoice: XmlNode): string[] {
  const has = (path: string) => (first(invoice, path) ?? "").trim() !== "";
  const seller = `${agreement}/ram:SellerTradeParty`;
  const buyer = `${agreement}/ram:BuyerTradeParty`;
  const lines = all(invoice, line);
  const everyLine = (path: string) => lines.every((one) => (first(one, path) ?? "") !== "");
  return failing({
    "BR-01": has(
      "rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID",
    ),
    "BR-02": has("rsm:ExchangedDocument/ram:ID"),
    "BR-03": has("rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString"),
    "BR-04": has("rsm:ExchangedDocument/ram:TypeCode"),
    "BR-05": has(`${settlement}/ram:InvoiceCurrencyCode`),
    "BR-06": has(`${seller}/ram:Name`),
    "BR-07": has(`${buyer}/ram:Name`),
    "BR-09": has(`${seller}/ram:PostalTradeAddress/ram:CountryID`),
    "BR-11": has(`${buyer}/ram:PostalTradeAddress/ram:CountryID`),
    "BR-16": lines.length > 0,
    "BR-21": everyLine("ram:AssociatedDocumentLineDocument/ram:LineID"),
    "BR-22": everyLine("ram:SpecifiedLineTradeDelivery/ram:BilledQuantity"),
    "BR-25": everyLine("ram:SpecifiedTradeProduct/ram:Name"),
    "BR-26": everyLine(
      "ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount",
    ),
    "BR-CO-25":
      cents(first(invoice, `${totals}/ram:DuePayableAmount`)) === 0 ||
      has(`${settlement}/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString`),
    "BR-CO-26": has(`${seller}/ram:SpecifiedLegalOrganization/ram:ID`),
  });
}

function brokenTotals(invoice: XmlNode): string[] {
  const total = (name: string) => cents(first(invoice, `${totals}/ram:${name}`));
  const lines = sum(
    all(
      invoice,
      `${line}/ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`,
    ),
  );
  const taken = sum(
    all(invoice, `${settlement}/ram:SpecifiedTradeAllowanceCharge/ram:ActualAmount`),
  );
  const vat = sum(all(invoice, `${settlement}/ram:ApplicableTradeTax/ram:CalculatedAmount`));
  return failing({
    "BR-CO-10": total("LineTotalAmount") === lines,
    "BR-CO-11": total("AllowanceTotalAmount") === taken,
    "BR-CO-13": total("TaxBasisTotalAmount") === lines - taken,
    "BR-CO-14": total("TaxTotalAmount") === vat,
    "BR-CO-15": total("GrandTotalAmount") === total("TaxBasisTotalAmount") + vat,
    "BR-CO-16":
      total("DuePayableAmount") === total("GrandTotalAmount") - total("TotalPrepaidAmount"),
  });
}

/** A part of the VAT, and the sum of what bears its category and rate. */
function brokenVat(invoice: XmlNode): string[] {
  const parts = all(invoice, `${settlement}/ram:ApplicableTradeTax`);
  const keyOf = (node: XmlNode) =>
    `${first(node, "ram:CategoryCode")} ${first(node, "ram:RateApplicablePercent")}`;
  const sums = new Map<string, number>();
  const add = (key: string, amount: number) => sums.set(key, (sums.get(key) ?? 0) + amount);
  for (const one of all(invoice, `${line}/ram:SpecifiedLineTradeSettlement`)) {
    const [tax] = all(one, "ram:ApplicableTradeTax");
    if (tax)
      add(
        keyOf(tax),
        cents(first(one, "ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount")),
      );
  }
  for (const one of all(invoice, `${settlement}/ram:SpecifiedTradeAllowanceCharge`)) {
    const [tax] = all(one, "ram:CategoryTradeTax");
    if (tax) add(keyOf(tax), -cents(first(one, "ram:ActualAmount")));
  }
  const bare = parts.map((part) => first(part, "ram:CategoryCode")).filter((one) => one !== "S");
  return [
    ...failing({
      "BR-CO-18": parts.length > 0 && parts.length === sums.size,
      "BR-x-01": new Set(bare).size === bare.length,
    }),
    ...parts.flatMap((part) => brokenPart(invoice, part, sums.get(keyOf(part)) ?? Number.NaN)),
  ];
}

function brokenPart(invoice: XmlNode, part: XmlNode, expected: number): string[] {
  const category = first(part, "ram:CategoryCode");
  const basis = cents(first(part, "ram:BasisAmount"));
  const vat = cents(first(part, "ram:CalculatedAmount"));
  const rate = Number(first(part, "ram:RateApplicablePercent"));
  const hasReason =
    first(part, "ram:ExemptionReason") !== null && first(part, "ram:ExemptionReasonCode") !== null;
  const numberOf = (party: string) =>
    all(invoice, `${agreement}/ram:${party}/ram:SpecifiedTaxRegistration/ram:ID`).length > 0;
  return failing({
    [`BR-${category}-08`]: basis === expected,
    [`BR-${category}-09`]: Math.abs(vat - (basis * rate) / 100) <= 0.5,
    [`BR-${category}-10`]: category === "S" || category === "Z" ? !hasReason : hasReason,
    [`BR-${category}-05`]: category === "S" ? rate > 0 : rate === 0 && vat === 0,
    [`BR-${category}-02`]:
      numberOf("SellerTradeParty") && (category !== "AE" || numberOf("BuyerTradeParty")),
  });
}
