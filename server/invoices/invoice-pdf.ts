// The document on paper: a Factur-X, a tagged PDF/A-3 that carries the same content as EN 16931 XML.
import { groupSiren } from "#contract/companies/siren.ts";
import { formatCount, formatDate, formatMoney } from "#contract/french.ts";
import { invoiceKindNames } from "#contract/invoices/states.ts";
import { vatRates } from "#contract/invoices/vat.ts";
import type { EmbeddedFile } from "#server/http/embedded-file.ts";
import { type Paper, paper } from "#server/http/paper.ts";
import { ciiOf } from "./cii.ts";
import type { InvoiceDocument } from "./e-invoice.ts";
import type { Party, Seller } from "./parties.ts";

type Printed = InvoiceDocument & { issuedAt: Date };

const operationNames = {
  goods: "Livraison de biens",
  services: "Prestation de services",
  mixed: "Livraison de biens et prestation de services",
} as const;

/** The PDF of a document: always the same bytes for the same row. */
export async function facturXOf(document: Printed): Promise<Buffer<ArrayBuffer>> {
  const { number, kind, issuedOn, issuedAt, content } = document;
  return await paper(
    {
      title: `${invoiceKindNames[kind]} ${number}`,
      subtitle: `Date d’émission\u202f: ${formatDate(issuedOn)}`,
      // The motif of the issuer, whose number has nine digits.
      cardnumber: Number(`2${content.seller.siren}`),
      turnOf: Number(content.buyer.siren),
      madeAt: issuedAt,
      carries: facturXFile(document),
    },
    async (page) => {
      page.facts([
        ["Émetteur", addressOf(content.seller, sellerLines(content.seller))],
        ["Client", addressOf(content.buyer)],
        ...headFacts(document),
      ]);
      await drawLines(page, document);
      await drawVat(page, document);
      page.facts(totalFacts(document));
      drawPayment(page, document);
      page.heading("Mentions");
      for (const { text } of content.notes) page.paragraph(text);
    },
  );
}

const sellerLines = ({ legalForm, register, email, phone }: Seller): string[] => [
  `${legalForm}, ${register}`,
  `${email}, ${phone}`,
];

function addressOf(party: Party, more: readonly string[] = []): string {
  const { name, siren, siret, vatNumber, street, postcode, town, country } = party;
  return [
    name,
    street,
    `${postcode} ${town}${country === "FR" ? "" : ` (${country})`}`,
    ...(siren ? [`SIREN ${groupSiren(siren)}${siret ? `, SIRET ${groupSiren(siret)}` : ""}`] : []),
    ...(vatNumber ? [`TVA ${vatNumber}`] : []),
    ...more,
  ].join("\n");
}

function headFacts({ kind, dueOn, dueCents, content }: Printed): [string, string][] {
  const { corrects, period, deliveredOn, operation } = content;
  return [
    ...(corrects
      ? [["Corrige", `Facture ${corrects.number} du ${formatDate(corrects.issuedOn)}`] as const]
      : []),
    ["Catégorie de l’opération", operationNames[operation]],
    ...(period
      ? [["Période", `du ${formatDate(period.from)} au ${formatDate(period.to)}`] as const]
      : []),
    ...(!period && deliveredOn !== null
      ? [[operation === "goods" ? "Livrée le" : "Réalisée le", formatDate(deliveredOn)] as const]
      : []),
    ...(kind === "invoice" && dueCents > 0 && content.netting === undefined
      ? [["À payer avant le", formatDate(dueOn)] as const]
      : []),
  ].map(([name = "", value = ""]) => [name, value]);
}

async function drawLines(page: Paper, { content }: Printed): Promise<void> {
  page.heading("Détail");
  const taken = content.allowances.map(({ label, vat, cents }) => [
    label,
    "",
    "",
    vatRates[vat].name,
    formatMoney(-cents),
  ]);
  await page.table(
    [
      { title: "Désignation", width: 213 },
      { title: "Quantité", width: 55, right: true },
      { title: "Prix hors TVA", width: 75, right: true },
      { title: "TVA", width: 65, right: true },
      { title: "Hors TVA", width: 75, right: true },
    ],
    [
      ...content.lines.map(({ label, quantity, unitCents, vat, cents }) => [
        label,
        formatCount(quantity),
        formatMoney(unitCents),
        vatRates[vat].name,
        formatMoney(cents),
      ]),
      ...taken,
    ],
  );
}

async function drawVat(page: Paper, { content }: Printed): Promise<void> {
  page.heading("TVA par taux");
  await page.table(
    [
      { title: "Taux", width: 263 },
      { title: "Base hors TVA", width: 110, right: true },
      { title: "Montant de TVA", width: 110, right: true },
    ],
    content.vat.map(({ vat, basisCents, vatCents, exemption }) => [
      exemption ? `${vatRates[vat].name}. ${exemption.text}` : vatRates[vat].name,
      formatMoney(basisCents),
      formatMoney(vatCents),
    ]),
  );
}

function totalFacts(document: Printed): [string, string][] {
  const { kind, netCents, vatCents, totalCents, prepaidCents, dueCents } = document;
  return [
    ["Total hors TVA", formatMoney(netCents)],
    ["Total TVA", formatMoney(vatCents)],
    ["Total TVA comprise", formatMoney(totalCents)],
    ...(prepaidCents > 0 ? [["Déjà payé", formatMoney(prepaidCents)] as [string, string]] : []),
    [kind === "invoice" ? "Net à payer" : "Net en votre faveur", formatMoney(dueCents)],
  ];
}

function drawPayment(page: Paper, { kind, dueCents, reference, content }: Printed): void {
  if (kind !== "invoice" || dueCents === 0) return;
  const { name, iban, bic } = content.seller;
  page.heading("Paiement");
  if (content.netting !== undefined) {
    page.paragraph(`${content.netting} Vous n’avez rien à virer.`);
    return;
  }
  page.facts([
    ["Virement à", name],
    ["IBAN", iban.replaceAll(/(.{4})(?=.)/g, "$1 ")],
    ["BIC", bic],
    ["Référence à rappeler", reference],
  ]);
}

const fx = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";
const facts = {
  DocumentType: "INVOICE",
  DocumentFileName: "factur-x.xml",
  Version: "1.0",
  ConformanceLevel: "EN 16931",
} as const;

const facturXFile = (document: Printed): EmbeddedFile => ({
  name: facts.DocumentFileName,
  type: "text/xml",
  body: Buffer.from(ciiOf(document)),
  description: "Facture électronique EN 16931",
  metadata: metadata(),
  at: document.issuedAt,
});

/** XMP of Factur-X: its four facts, and the schema by which PDF/A knows them. */
function metadata(): string {
  const about = Object.entries(facts).map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`);
  const known = Object.keys(facts).map(
    (name) => `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name>
      <pdfaProperty:valueType>Text</pdfaProperty:valueType>
      <pdfaProperty:category>external</pdfaProperty:category>
      <pdfaProperty:description>${name} of the embedded invoice</pdfaProperty:description></rdf:li>`,
  );
  return `<rdf:Description rdf:about="" xmlns:fx="${fx}">${about.join("")}</rdf:Description>
    <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
      xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
      xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag>
      <rdf:li rdf:parseType="Resource">
      <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
      <pdfaSchema:namespaceURI>${fx}</pdfaSchema:namespaceURI>
      <pdfaSchema:prefix>fx</pdfaSchema:prefix>
      <pdfaSchema:property><rdf:Seq>${known.join("")}</rdf:Seq></pdfaSchema:property>
      </rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`;
}
