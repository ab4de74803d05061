// The electronic invoice: forty varied documents keep the rules of EN 16931, and the PDF carries the XML.
import { inflateSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { all, brokenRules, readXml } from "#tests/en16931.ts";
import { brokenFrenchRules } from "#tests/french-invoices.ts";
import { wordsOf } from "#tests/pdf-words.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { issueVaried } from "#tests/varied-invoices.ts";
import { ciiOf } from "./cii.ts";
import { facturXOf } from "./invoice-pdf.ts";
import { type InvoiceRow, invoicesWhere } from "./reads.ts";
import { ublOf } from "./ubl.ts";

let server: TestServer;
const documents: { name: string; row: InvoiceRow }[] = [];

beforeAll(async () => {
  server = await openTestServer();
  for (const { id, name } of await issueVaried(server)) {
    const [row] = await invoicesWhere(server.deps.db, sql`i.id = ${id}`);
    if (row) documents.push({ name, row });
  }
});
afterAll(() => server.close());
const named = (name: string): InvoiceRow =>
  documents.find((one) => one.name === name)?.row as InvoiceRow;

describe("EN 16931", () => {
  test("forty varied documents break no rule", () => {
    const broken = documents.map(({ name, row }) => [name, brokenRules(ciiOf(row))]);
    expect(documents.length).toBeGreaterThanOrEqual(40);
    expect(broken.filter(([, rules]) => (rules as string[]).length > 0)).toEqual([]);
  });

  test("the rules see a wrong amount and a rate that is not its category's", () => {
    const xml = ciiOf(named("every rate"));
    const wrong = (from: RegExp, to: string) => brokenRules(xml.replace(from, to));
    expect(wrong(/(<ram:GrandTotalAmount>)[\d.]+/, "$11.00")).toEqual(["BR-CO-15", "BR-CO-16"]);
    expect(wrong(/(<ram:BasisAmount>)[\d.]+/, "$11.00")).toContain("BR-S-08");
  });

  test("kept back from what the scheme owes, it keeps the rules and names no account to pay to", () => {
    const xml = ciiOf(named("kept back from a payout"));
    const said = "Retenue sur votre relevé de règlement d’octobre 2026.";
    expect(brokenRules(xml)).toEqual([]);
    expect(xml).toContain(`<ram:TypeCode>97</ram:TypeCode><ram:Information>${said}<`);
    expect(xml).not.toContain("IBANID");
    expect(ciiOf(named("every rate"))).toContain("IBANID");
  });

  test("UBL says the same totals and the same VAT", () => {
    for (const { name, row } of documents) {
      const root = readXml(ublOf(row)).inside[0];
      if (!root) throw new Error(name);
      expect(root.name).toBe(row.kind === "invoice" ? "Invoice" : "CreditNote");
      const [payable] = all(root, "cac:LegalMonetaryTotal/cbc:PayableAmount");
      const [vat] = all(root, "cac:TaxTotal/cbc:TaxAmount");
      expect([payable?.text, vat?.text], name).toEqual([
        (row.dueCents / 100).toFixed(2),
        (row.vatCents / 100).toFixed(2),
      ]);
      expect(all(root, "cac:TaxTotal/cac:TaxSubtotal").length).toBe(row.content.vat.length);
    }
  });

  test("goods bear the day of their delivery once it is known, not the day of issue", async () => {
    const saysDelivery = (name: string) => [
      /<udt:DateTimeString[^>]*>(\d+)<\/udt:DateTimeString><\/ram:OccurrenceDateTime>/.exec(
        ciiOf(named(name)),
      )?.[1],
      /<cbc:ActualDeliveryDate>([\d-]+)</.exec(ublOf(named(name)))?.[1],
    ];
    expect(named("goods").content.deliveredOn).toBeNull();
    expect(saysDelivery("goods")).toEqual([undefined, undefined]);
    expect(saysDelivery("delivered before")).toEqual(["20261012", "2026-10-12"]);
    expect(wordsOf(await facturXOf(named("goods")))).not.toMatch(/Livrée le|Réalisée le/);
    expect(wordsOf(await facturXOf(named("delivered before")))).toContain("Réalisée le");
  });

  test("text that XML would read otherwise arrives as it was written", () => {
    const { content } = named("long texts");
    const [read] = all(
      readXml(ciiOf(named("long texts"))),
      "rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem/ram:SpecifiedTradeProduct/ram:Name",
    );
    expect(read?.text).toBe(content.lines[0]?.label);
  });
});

describe("XP Z12-012, in both syntaxes", () => {
  test("no document breaks a rule between companies in France", () => {
    const broken = documents.flatMap(({ name, row }) => [
      [name, "CII", brokenFrenchRules(ciiOf(row))],
      [name, "UBL", brokenFrenchRules(ublOf(row))],
    ]);
    expect(broken.filter(([, , rules]) => (rules as string[]).length > 0)).toEqual([]);
  });

  test("the credit note of what was prepaid says when that was given back", () => {
    const row = named("credit of goods that were prepaid");
    const ubl = ublOf(row);
    expect(ubl).toContain("<cbc:ProfileID>B2</cbc:ProfileID>");
    expect(ubl).not.toContain("<cbc:DueDate>");
    const due = `<cbc:PaymentDueDate>${row.dueOn}</cbc:PaymentDueDate>`;
    expect(ubl).toContain(
      `<cac:PaymentMeans><cbc:PaymentMeansCode>1</cbc:PaymentMeansCode>${due}</cac:PaymentMeans><cac:TaxTotal>`,
    );
    expect(brokenFrenchRules(ubl.replace(due, ""))).toEqual(["BR-FR-CO-09"]);
  });

  test.each(["CII", "UBL"])("the rules see what a %s leaves out", (syntax) => {
    const xmlOf = syntax === "CII" ? ciiOf : ublOf;
    const xml = xmlOf(named("credit of it"));
    const wrong = (from: RegExp, to: string) => brokenFrenchRules(xml.replace(from, to));
    expect(wrong(/PMT/, "AAI")).toEqual(["BR-FR-05"]);
    expect(wrong(/schemeID="0002"/, 'schemeID="0003"')).toContain("BR-FR-10");
    expect(wrong(/schemeID="0009">\d/, 'schemeID="0009">')).toContain("BR-FR-09");
    expect(wrong(/InvoiceReferencedDocument|InvoiceDocumentReference/g, "none")).toEqual([
      "BR-FR-CO-05",
    ]);
  });
});

describe("Factur-X", () => {
  test("is a tagged PDF/A-3 that carries the XML as its data", async () => {
    const row = named("every rate");
    const file = await facturXOf(row);
    const text = file.toString("latin1");
    expect(text.startsWith("%PDF-1.7")).toBe(true);
    for (const piece of [
      "/AFRelationship /Data",
      "(factur-x.xml)",
      "/MarkInfo",
      "/StructTreeRoot",
      "/OutputIntents",
      "<pdfaid:part>3</pdfaid:part>",
      "<pdfaid:conformance>B</pdfaid:conformance>",
      "<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>",
      "<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>",
      "<pdfaSchema:prefix>fx</pdfaSchema:prefix>",
    ]) {
      expect(text, piece).toContain(piece);
    }
    expect(attachedTo(file)).toBe(ciiOf(row));
  });

  test("the same row gives the same XML; long documents and credit notes are drawn", async () => {
    for (const name of [
      "300 lines",
      "credit of it",
      "of no amount",
      "to Germany, reverse charge",
    ]) {
      const file = await facturXOf(named(name));
      expect(attachedTo(file), name).toBe(ciiOf(named(name)));
    }
  });
});

/** The XML inside a PDF: the one stream that inflates to it. */
function attachedTo(file: Buffer): string | undefined {
  const text = file.toString("latin1");
  for (const { index } of text.matchAll(/stream\r?\n/g)) {
    const from = text.indexOf("\n", index) + 1;
    const until = text.indexOf("endstream", from);
    try {
      const body = inflateSync(file.subarray(from, until)).toString();
      if (body.includes("CrossIndustryInvoice")) return body;
    } catch {
      // Another stream, not compressed.
    }
  }
  return undefined;
}
