// The electronic invoice as UN/CEFACT CII D16B, profile EN 16931: the XML inside a Factur-X.
import { vatRates } from "#contract/invoices/vat.ts";
import type { Line } from "./amounts.ts";
import {
  allowancesCents,
  businessProcessOf,
  endpointOf,
  guideline,
  type InvoiceDocument,
  linesCents,
  notesOf,
  owesOnDebits,
  saysDueDate,
  typeCodeOf,
} from "./e-invoice.ts";
import type { Party, Seller } from "./parties.ts";
import { decimalOf, element, leaf, percentOf, xmlHead } from "./xml.ts";

const namespaces = {
  "xmlns:rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
  "xmlns:ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
  "xmlns:qdt": "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
  "xmlns:udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
};

const dateOf = (name: string, day: string, type: "udt" | "qdt" = "udt"): string =>
  element(name, leaf(`${type}:DateTimeString`, day.replaceAll("-", ""), { format: "102" }));
const amount = (name: string, cents: number) => leaf(name, decimalOf(cents));

/** The document as the XML that receivers read. */
export function ciiOf(document: InvoiceDocument): string {
  const { number, issuedOn, content } = document;
  return (
    xmlHead +
    element(
      "rsm:CrossIndustryInvoice",
      [
        element("rsm:ExchangedDocumentContext", [
          element(
            "ram:BusinessProcessSpecifiedDocumentContextParameter",
            leaf("ram:ID", businessProcessOf(document)),
          ),
          element("ram:GuidelineSpecifiedDocumentContextParameter", leaf("ram:ID", guideline)),
        ]),
        element("rsm:ExchangedDocument", [
          leaf("ram:ID", number),
          leaf("ram:TypeCode", typeCodeOf(document)),
          dateOf("ram:IssueDateTime", issuedOn),
          notesOf(document).map(({ code, text }) =>
            element("ram:IncludedNote", [leaf("ram:Content", text), leaf("ram:SubjectCode", code)]),
          ),
        ]),
        element("rsm:SupplyChainTradeTransaction", [
          content.lines.map(lineOf),
          element("ram:ApplicableHeaderTradeAgreement", [
            sellerOf(content.seller),
            element("ram:BuyerTradeParty", partyOf(content.buyer)),
          ]),
          element(
            "ram:ApplicableHeaderTradeDelivery",
            content.deliveredOn !== null &&
              element(
                "ram:ActualDeliverySupplyChainEvent",
                dateOf("ram:OccurrenceDateTime", content.deliveredOn),
              ),
          ),
          settlementOf(document),
        ]),
      ],
      namespaces,
    )
  );
}

const taxOf = (name: string, code: keyof typeof vatRates): string =>
  element(name, [
    leaf("ram:TypeCode", "VAT"),
    leaf("ram:CategoryCode", vatRates[code].category),
    leaf("ram:RateApplicablePercent", percentOf(vatRates[code].basisPoints)),
  ]);

function lineOf({ label, quantity, unitCents, cents, vat }: Line, index: number): string {
  return element("ram:IncludedSupplyChainTradeLineItem", [
    element("ram:AssociatedDocumentLineDocument", leaf("ram:LineID", String(index + 1))),
    element("ram:SpecifiedTradeProduct", leaf("ram:Name", label)),
    element(
      "ram:SpecifiedLineTradeAgreement",
      element("ram:NetPriceProductTradePrice", amount("ram:ChargeAmount", unitCents)),
    ),
    element(
      "ram:SpecifiedLineTradeDelivery",
      leaf("ram:BilledQuantity", String(quantity), { unitCode: "C62" }),
    ),
    element("ram:SpecifiedLineTradeSettlement", [
      taxOf("ram:ApplicableTradeTax", vat),
      element(
        "ram:SpecifiedTradeSettlementLineMonetarySummation",
        amount("ram:LineTotalAmount", cents),
      ),
    ]),
  ]);
}

const sellerOf = (seller: Seller): string =>
  element(
    "ram:SellerTradeParty",
    partyOf(
      seller,
      element("ram:DefinedTradeContact", [
        leaf("ram:DepartmentName", "Facturation"),
        element("ram:TelephoneUniversalCommunication", leaf("ram:CompleteNumber", seller.phone)),
        element("ram:EmailURIUniversalCommunication", leaf("ram:URIID", seller.email)),
      ]),
      `${seller.legalForm}, ${seller.register}`,
      // BT-32: a seller without VAT has no VAT number, and is known to the tax office by the SIREN.
      seller.vatNumber ? null : seller.siren,
    ),
  );

function partyOf(
  party: Party,
  contact: string | null = null,
  legal: string | null = null,
  taxNumber: string | null = null,
) {
  const { name, siren, siret, vatNumber, street, postcode, town, country } = party;
  const endpoint = endpointOf(party);
  return [
    siret && leaf("ram:GlobalID", siret, { schemeID: "0009" }),
    leaf("ram:Name", name),
    leaf("ram:Description", legal),
    siren && element("ram:SpecifiedLegalOrganization", leaf("ram:ID", siren, { schemeID: "0002" })),
    contact,
    element("ram:PostalTradeAddress", [
      leaf("ram:PostcodeCode", postcode),
      leaf("ram:LineOne", street),
      leaf("ram:CityName", town),
      leaf("ram:CountryID", country),
    ]),
    endpoint &&
      element(
        "ram:URIUniversalCommunication",
        leaf("ram:URIID", endpoint.id, { schemeID: endpoint.scheme }),
      ),
    vatNumber &&
      element("ram:SpecifiedTaxRegistration", leaf("ram:ID", vatNumber, { schemeID: "VA" })),
    taxNumber &&
      element("ram:SpecifiedTaxRegistration", leaf("ram:ID", taxNumber, { schemeID: "FC" })),
  ];
}

function settlementOf(document: InvoiceDocument): string {
  const { kind, reference, dueOn, content } = document;
  const { period, corrects } = content;
  return element("ram:ApplicableHeaderTradeSettlement", [
    leaf("ram:PaymentReference", reference),
    leaf("ram:InvoiceCurrencyCode", "EUR"),
    kind === "invoice" && paymentMeansOf(content),
    content.vat.map((part) => vatPartOf(part, owesOnDebits(document))),
    period &&
      element("ram:BillingSpecifiedPeriod", [
        dateOf("ram:StartDateTime", period.from),
        dateOf("ram:EndDateTime", period.to),
      ]),
    content.allowances.map(({ label, cents, vat }) =>
      element("ram:SpecifiedTradeAllowanceCharge", [
        element("ram:ChargeIndicator", leaf("udt:Indicator", "false")),
        amount("ram:ActualAmount", cents),
        leaf("ram:Reason", label),
        taxOf("ram:CategoryTradeTax", vat),
      ]),
    ),
    saysDueDate(document) &&
      element("ram:SpecifiedTradePaymentTerms", dateOf("ram:DueDateDateTime", dueOn)),
    totalsOf(document),
    corrects &&
      element("ram:InvoiceReferencedDocument", [
        leaf("ram:IssuerAssignedID", corrects.number),
        dateOf("ram:FormattedIssueDateTime", corrects.issuedOn, "qdt"),
      ]),
  ]);
}

/** A SEPA transfer to the scheme, or netted against what it owes (UNCL 4461, 58 and 97). */
function paymentMeansOf({ seller, netting }: InvoiceDocument["content"]): string {
  const { name, iban, bic } = seller;
  return element(
    "ram:SpecifiedTradeSettlementPaymentMeans",
    netting === undefined
      ? [
          leaf("ram:TypeCode", "58"),
          element("ram:PayeePartyCreditorFinancialAccount", [
            leaf("ram:IBANID", iban),
            leaf("ram:AccountName", name),
          ]),
          element("ram:PayeeSpecifiedCreditorFinancialInstitution", leaf("ram:BICID", bic)),
        ]
      : [leaf("ram:TypeCode", "97"), leaf("ram:Information", netting)],
  );
}

function vatPartOf(
  { vat, basisCents, vatCents, exemption }: InvoiceDocument["content"]["vat"][number],
  onDebits: boolean,
): string {
  const { category, basisPoints } = vatRates[vat];
  return element("ram:ApplicableTradeTax", [
    amount("ram:CalculatedAmount", vatCents),
    leaf("ram:TypeCode", "VAT"),
    leaf("ram:ExemptionReason", exemption?.text ?? null),
    amount("ram:BasisAmount", basisCents),
    leaf("ram:CategoryCode", category),
    leaf("ram:ExemptionReasonCode", exemption?.code ?? null),
    // BT-8: VAT falls due with the invoice.
    onDebits && category === "S" && leaf("ram:DueDateTypeCode", "5"),
    leaf("ram:RateApplicablePercent", percentOf(basisPoints)),
  ]);
}

function totalsOf(document: InvoiceDocument): string {
  const { netCents, vatCents, totalCents, prepaidCents, dueCents } = document;
  const allowances = allowancesCents(document);
  return element("ram:SpecifiedTradeSettlementHeaderMonetarySummation", [
    amount("ram:LineTotalAmount", linesCents(document)),
    allowances > 0 && amount("ram:AllowanceTotalAmount", allowances),
    amount("ram:TaxBasisTotalAmount", netCents),
    leaf("ram:TaxTotalAmount", decimalOf(vatCents), { currencyID: "EUR" }),
    amount("ram:GrandTotalAmount", totalCents),
    prepaidCents > 0 && amount("ram:TotalPrepaidAmount", prepaidCents),
    amount("ram:DuePayableAmount", dueCents),
  ]);
}
