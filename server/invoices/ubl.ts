// The electronic invoice as UBL 2.1, Invoice or CreditNote: the same content as the CII, on demand.
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

const names = {
  invoice: { root: "Invoice", line: "InvoiceLine", quantity: "InvoicedQuantity" },
  credit_note: { root: "CreditNote", line: "CreditNoteLine", quantity: "CreditedQuantity" },
} as const;

const amount = (name: string, cents: number) =>
  leaf(`cbc:${name}`, decimalOf(cents), { currencyID: "EUR" });
const vatScheme = element("cac:TaxScheme", leaf("cbc:ID", "VAT"));

/** The document as UBL XML. */
export function ublOf(document: InvoiceDocument): string {
  const { number, kind, issuedOn, dueOn, content } = document;
  const { root, line, quantity } = names[kind];
  const { seller, buyer, corrects } = content;
  return (
    xmlHead +
    element(
      root,
      [
        leaf("cbc:CustomizationID", guideline),
        leaf("cbc:ProfileID", businessProcessOf(document)),
        leaf("cbc:ID", number),
        leaf("cbc:IssueDate", issuedOn),
        kind === "invoice" && leaf("cbc:DueDate", dueOn),
        leaf(`cbc:${root}TypeCode`, typeCodeOf(document)),
        notesOf(document).map(({ code, text }) => leaf("cbc:Note", `#${code}#${text}`)),
        leaf("cbc:DocumentCurrencyCode", "EUR"),
        periodOf(document),
        corrects &&
          element(
            "cac:BillingReference",
            element("cac:InvoiceDocumentReference", [
              leaf("cbc:ID", corrects.number),
              leaf("cbc:IssueDate", corrects.issuedOn),
            ]),
          ),
        element("cac:AccountingSupplierParty", sellerOf(seller)),
        element("cac:AccountingCustomerParty", partyOf(buyer)),
        content.deliveredOn !== null &&
          element("cac:Delivery", leaf("cbc:ActualDeliveryDate", content.deliveredOn)),
        kind === "invoice" ? paymentMeansOf(document) : creditPaymentMeans(document),
        content.allowances.map(({ label, cents, vat }) =>
          element("cac:AllowanceCharge", [
            leaf("cbc:ChargeIndicator", "false"),
            leaf("cbc:AllowanceChargeReason", label),
            amount("Amount", cents),
            categoryOf("cac:TaxCategory", vat),
          ]),
        ),
        taxTotalOf(document),
        totalsOf(document),
        content.lines.map((one, index) => lineOf(one, index, { line, quantity })),
      ],
      {
        xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`,
        "xmlns:cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
        "xmlns:cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
      },
    )
  );
}

function periodOf(document: InvoiceDocument): string | null {
  const { period } = document.content;
  // BT-8, in the codes of UBL: VAT falls due with the invoice.
  const debits = owesOnDebits(document) && leaf("cbc:DescriptionCode", "3");
  if (!period && !debits) return null;
  return element("cac:InvoicePeriod", [
    leaf("cbc:StartDate", period?.from ?? null),
    leaf("cbc:EndDate", period?.to ?? null),
    debits,
  ]);
}

const sellerOf = (seller: Seller): string =>
  partyOf(seller, {
    contact: element("cac:Contact", [
      leaf("cbc:Name", "Facturation"),
      leaf("cbc:Telephone", seller.phone),
      leaf("cbc:ElectronicMail", seller.email),
    ]),
    legalForm: `${seller.legalForm}, ${seller.register}`,
    taxNumber: seller.vatNumber ? null : seller.siren,
  });

function partyOf(
  party: Party,
  more: { contact?: string; legalForm?: string; taxNumber?: string | null } = {},
): string {
  const { name, siren, siret, vatNumber, street, postcode, town, country } = party;
  const endpoint = endpointOf(party);
  return element("cac:Party", [
    endpoint && leaf("cbc:EndpointID", endpoint.id, { schemeID: endpoint.scheme }),
    siret && element("cac:PartyIdentification", leaf("cbc:ID", siret, { schemeID: "0009" })),
    element("cac:PostalAddress", [
      leaf("cbc:StreetName", street),
      leaf("cbc:CityName", town),
      leaf("cbc:PostalZone", postcode),
      element("cac:Country", leaf("cbc:IdentificationCode", country)),
    ]),
    vatNumber && element("cac:PartyTaxScheme", [leaf("cbc:CompanyID", vatNumber), vatScheme]),
    // BT-32: a seller without VAT is known to the tax office by the SIREN.
    more.taxNumber
      ? element("cac:PartyTaxScheme", [
          leaf("cbc:CompanyID", more.taxNumber),
          element("cac:TaxScheme", leaf("cbc:ID", "FC")),
        ])
      : null,
    element("cac:PartyLegalEntity", [
      leaf("cbc:RegistrationName", name),
      siren && leaf("cbc:CompanyID", siren, { schemeID: "0002" }),
      leaf("cbc:CompanyLegalForm", more.legalForm ?? null),
    ]),
    more.contact ?? null,
  ]);
}

const paymentMeansOf = ({ reference, content: { seller, netting } }: InvoiceDocument): string =>
  element(
    "cac:PaymentMeans",
    netting === undefined
      ? [
          leaf("cbc:PaymentMeansCode", "58"),
          leaf("cbc:PaymentID", reference),
          element("cac:PayeeFinancialAccount", [
            leaf("cbc:ID", seller.iban),
            leaf("cbc:Name", seller.name),
            element("cac:FinancialInstitutionBranch", leaf("cbc:ID", seller.bic)),
          ]),
        ]
      : [leaf("cbc:PaymentMeansCode", "97", { name: netting }), leaf("cbc:PaymentID", reference)],
  );

/** BT-9 of a credit note, which has no DueDate: that of a means of payment left open (UNCL 4461, 1). */
const creditPaymentMeans = (document: InvoiceDocument): string | false =>
  saysDueDate(document) &&
  element("cac:PaymentMeans", [
    leaf("cbc:PaymentMeansCode", "1"),
    leaf("cbc:PaymentDueDate", document.dueOn),
  ]);

const categoryOf = (
  name: string,
  code: keyof typeof vatRates,
  exemption: { code: string; text: string } | null = null,
): string =>
  element(name, [
    leaf("cbc:ID", vatRates[code].category),
    leaf("cbc:Percent", percentOf(vatRates[code].basisPoints)),
    leaf("cbc:TaxExemptionReasonCode", exemption?.code ?? null),
    leaf("cbc:TaxExemptionReason", exemption?.text ?? null),
    vatScheme,
  ]);

const taxTotalOf = ({ vatCents, content }: InvoiceDocument): string =>
  element("cac:TaxTotal", [
    amount("TaxAmount", vatCents),
    content.vat.map(({ vat, basisCents, vatCents: cents, exemption }) =>
      element("cac:TaxSubtotal", [
        amount("TaxableAmount", basisCents),
        amount("TaxAmount", cents),
        categoryOf("cac:TaxCategory", vat, exemption),
      ]),
    ),
  ]);

function totalsOf(document: InvoiceDocument): string {
  const { netCents, totalCents, prepaidCents, dueCents } = document;
  const allowances = allowancesCents(document);
  return element("cac:LegalMonetaryTotal", [
    amount("LineExtensionAmount", linesCents(document)),
    amount("TaxExclusiveAmount", netCents),
    amount("TaxInclusiveAmount", totalCents),
    allowances > 0 && amount("AllowanceTotalAmount", allowances),
    prepaidCents > 0 && amount("PrepaidAmount", prepaidCents),
    amount("PayableAmount", dueCents),
  ]);
}

function lineOf(
  { label, quantity: count, unitCents, cents, vat }: Line,
  index: number,
  { line, quantity }: { line: string; quantity: string },
): string {
  return element(`cac:${line}`, [
    leaf("cbc:ID", String(index + 1)),
    leaf(`cbc:${quantity}`, String(count), { unitCode: "C62" }),
    amount("LineExtensionAmount", cents),
    element("cac:Item", [leaf("cbc:Name", label), categoryOf("cac:ClassifiedTaxCategory", vat)]),
    element("cac:Price", amount("PriceAmount", unitCents)),
  ]);
}
