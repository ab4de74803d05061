// Forty documents as different as EN 16931 and the French rules have them: several rates, exemptions,
// allowances, credit notes, prepaid, of no amount, with long texts, for companies abroad.
import { randomUUID } from "node:crypto";
import type { VatCode } from "#contract/invoices/vat.ts";
import { inTx } from "#server/db/db.ts";
import { issueInvoice, type NewInvoice } from "#server/invoices/invoices.ts";
import type { Issuer } from "#server/process/issuer.ts";
import type { TestServer } from "./test-server.ts";

type Line = NewInvoice["lines"][number];
const line = (label: string, unitCents: number, vat: VatCode = "normal", quantity = 1): Line => ({
  label,
  unitCents,
  vat,
  quantity,
});
const long = "Prestation détaillée « à l’unité », ≤ 3 m² & plus <sauf> l'été\u202f; ".repeat(7);

interface Case {
  name: string;
  more: Partial<NewInvoice>;
  buyer?: "france" | "germany" | "belgium" | "switzerland" | "sole";
  regime?: Issuer["vatRegime"];
  /** In part or whole, of the case before it. */
  credits?: "whole" | "part";
}

const rates: VatCode[] = ["normal", "intermediate", "reduced", "super_reduced", "zero", "exempt"];

const cases: Case[] = [
  ...rates.map((vat) => ({
    name: `one line at ${vat}`,
    more: { lines: [line("Une ligne", 1_234, vat)] },
  })),
  {
    name: "every rate",
    more: { lines: rates.map((vat, place) => line(vat, 333 + place, vat, 7)) },
  },
  { name: "credit of it", more: {}, credits: "whole" },
  {
    name: "a line without a cent",
    more: { lines: [line("Carte offerte", 0), line("Carte", 499, "normal", 3)] },
  },
  { name: "of no amount", more: { lines: [line("Offert", 0)] } },
  {
    name: "of no amount by an allowance",
    more: {
      lines: [line("Geste", 5_000)],
      allowances: [{ label: "Geste commercial", cents: 5_000, vat: "normal" }],
    },
  },
  {
    name: "an allowance",
    more: {
      lines: [line("Cartes", 250, "normal", 120)],
      allowances: [{ label: "Remise de volume", cents: 3_000, vat: "normal" }],
    },
  },
  {
    name: "part of it credited",
    more: { lines: [line("Cartes rendues", 250, "normal", 4)] },
    credits: "part",
  },
  {
    name: "two allowances at two rates",
    more: {
      lines: [line("A", 10_001), line("B", 9_999, "reduced")],
      allowances: [
        { label: "Fidélité", cents: 101, vat: "normal" },
        { label: "Retard", cents: 99, vat: "reduced" },
      ],
    },
  },
  {
    name: "two allowances at one rate",
    more: {
      lines: [line("A", 10_001)],
      allowances: [
        { label: "Un", cents: 1, vat: "normal" },
        { label: "Deux", cents: 2, vat: "normal" },
      ],
    },
  },
  {
    name: "an allowance on what is exempt",
    more: {
      lines: [line("Formation", 90_000, "exempt")],
      allowances: [{ label: "Remise", cents: 10_000, vat: "exempt" }],
    },
  },
  {
    name: "prepaid in part",
    more: { lines: [line("Acompte déduit", 10_000)], prepaidCents: 3_000 },
  },
  { name: "credit of what was prepaid in part", more: { prepaidCents: 0 }, credits: "whole" },
  { name: "prepaid whole", more: { lines: [line("Payée", 10_000)], prepaidCents: 12_000 } },
  { name: "credit of what was prepaid", more: { prepaidCents: 12_000 }, credits: "whole" },
  {
    name: "prepaid whole, goods",
    more: {
      subject: { kind: "card_order", id: "x" },
      lines: [line("Cartes", 500, "normal", 10)],
      prepaidCents: 6_000,
    },
  },
  {
    name: "credit of goods that were prepaid",
    more: { subject: { kind: "card_order", id: "x" }, prepaidCents: 6_000 },
    credits: "whole",
  },
  {
    name: "goods",
    more: {
      subject: { kind: "card_order", id: "x" },
      lines: [line("Cartes imprimées", 450, "normal", 25), line("Envoi suivi", 990)],
    },
  },
  {
    name: "goods and services",
    more: { operation: "mixed", lines: [line("Lecteur", 19_900), line("Installation", 8_000)] },
  },
  {
    name: "a period",
    more: {
      lines: [line("Commission d’octobre", 43_210)],
      period: { from: "2026-10-01", to: "2026-10-31" },
    },
  },
  {
    name: "credit of a period",
    more: { period: { from: "2026-10-01", to: "2026-10-31" } },
    credits: "whole",
  },
  { name: "delivered before", more: { lines: [line("Livrées", 450)], deliveredOn: "2026-10-12" } },
  {
    name: "long texts",
    more: {
      lines: [line(long.slice(0, 500).trim(), 1_000), line("«\u00a0Œuvre\u00a0» ½ × 3 €", 1_001)],
    },
  },
  {
    name: "300 lines",
    more: {
      lines: Array.from({ length: 300 }, (_, place) =>
        line(`Ligne ${place + 1}`, 17 + place, rates[place % 4] as VatCode, 1 + (place % 5)),
      ),
    },
  },
  {
    name: "halves of cents",
    more: { lines: [line("Demi", 25, "intermediate"), line("Demi", 250, "reduced")] },
  },
  { name: "large", more: { lines: [line("Grande", 799_999_999)] } },
  { name: "large quantity", more: { lines: [line("Petites", 3, "normal", 999_999)] } },
  {
    name: "to Germany, reverse charge",
    more: { lines: [line("Dienstleistung", 50_000, "reverse_charge")] },
    buyer: "germany",
  },
  { name: "credit to Germany", more: {}, buyer: "germany", credits: "whole" },
  {
    name: "to Belgium with an allowance",
    more: {
      lines: [line("Service", 50_000, "reverse_charge")],
      allowances: [{ label: "Remise", cents: 500, vat: "reverse_charge" }],
    },
    buyer: "belgium",
  },
  {
    name: "to Switzerland, export",
    more: { subject: { kind: "card_order", id: "x" }, lines: [line("Cartes", 450, "export", 40)] },
    buyer: "switzerland",
  },
  { name: "at the day itself", more: { lines: [line("Comptant", 100)], dueOn: "2026-11-02" } },
  { name: "without a VAT number", more: { lines: [line("Sans numéro", 4_200)] }, buyer: "sole" },
  {
    name: "reverse charge in France",
    more: { lines: [line("Sous-traitance", 70_000, "reverse_charge")] },
  },
  {
    name: "issuer under 293 B",
    more: { lines: [line("En franchise", 9_900), line("Aussi", 100, "reduced")] },
    regime: "franchise",
  },
  { name: "credit under 293 B", more: {}, regime: "franchise", credits: "whole" },
  {
    name: "VAT when it is paid",
    more: { lines: [line("Encaissements", 7_700)] },
    regime: "normal",
  },
  {
    name: "kept back from a payout",
    more: {
      subject: { kind: "commission", id: "kept" },
      lines: [line("Commission d’octobre", 6_789)],
      netting: "Retenue sur votre relevé de règlement d’octobre 2026.",
    },
  },
  {
    name: "credit of what was kept back",
    more: { lines: [line("Commission trop prise", 1_000)] },
    credits: "part",
  },
  { name: "one cent", more: { lines: [line("Un centime", 1)] } },
  { name: "two cents at 2.1 %", more: { lines: [line("Deux", 2, "super_reduced")] } },
];

/** Companies that buy, besides the one of the cast. */
async function buyersOf(server: TestServer): Promise<Record<NonNullable<Case["buyer"]>, string>> {
  const open = async (siren: string | null, vat: string | null, name: string, town: string) =>
    (
      await server.owner.pool.query(
        `insert into company (siren, siret, name, vat_number, street, postcode, town, created_at)
         values ($1::text, $1::text || '00011', $2, $3, '5 rue du Lavoir', '35400', $4, now())
         returning id`,
        [siren, name, vat, town],
      )
    ).rows[0].id as string;
  return {
    france: await open("552100554", "FR05552100554", "Aux Deux Mâts & Fils", "Port-Lagune"),
    germany: await open(null, "DE136695976", "Muster GmbH", "Berlin"),
    belgium: await open(null, "BE0428759497", "Exemple SA", "Bruxelles"),
    switzerland: await open(null, "CHE123456788", "Muster AG", "Zürich"),
    sole: await open("732829320", null, "Le Tout Petit Atelier", "Port-Lagune"),
  };
}

/** Issues all of them; gives the id and the name of each. */
export async function issueVaried(server: TestServer): Promise<{ id: string; name: string }[]> {
  const buyers = await buyersOf(server);
  const { issuer } = server.deps.config;
  const made: { id: string; name: string }[] = [];
  let last: NewInvoice | null = null;
  for (const { name, more, buyer = "france", regime, credits } of cases) {
    const subject = { kind: more.subject?.kind ?? ("other" as const), id: randomUUID() };
    const own: NewInvoice = {
      companyId: buyers[buyer],
      kind: "invoice",
      lines: [],
      issuedOn: "2026-11-02",
      dueOn: "2026-12-02",
      ...(credits === "whole" && last ? { lines: last.lines } : {}),
      ...more,
      subject,
    };
    const corrects = credits
      ? { kind: "credit_note" as const, correctsId: made.at(-1)?.id ?? "" }
      : {};
    const draft = { ...own, ...corrects };
    server.deps.config.issuer = issuer && {
      ...issuer,
      ...(regime && { vatRegime: regime }),
      ...(regime === "franchise" && { vatNumber: null }),
    };
    const { id } = await inTx(server.deps.db, (tx) => issueInvoice(tx, server.deps, draft));
    made.push({ id, name });
    last = own;
  }
  server.deps.config.issuer = issuer;
  return made;
}
