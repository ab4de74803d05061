// The closings of a counter as PDF and as CSV: the values stored when each was closed.
import { sql } from "kysely";
import { addDays, startOfDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatCount, formatDateTime, formatMoney } from "#contract/french.ts";
import {
  meansName,
  maxClosingsInFile,
  sumOfTotals,
  type TillMeans,
  type TillTotals,
} from "#contract/till/closings.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { csvOf, decimal, plain } from "#server/http/csv.ts";
import { csv, type Document, pdf } from "#server/http/document.ts";
import { paper, type Paper } from "#server/http/paper.ts";
import { requireCounter } from "./access.ts";
import { closingsWhere } from "./closings.ts";

type Closing = Awaited<ReturnType<typeof closingsWhere>>[number];

/** A closing as PDF; `not_found` for an unknown number of the counter. */
export async function closingPdf(
  call: CompanyCall<{ partner: string; number: number }>,
): Promise<Document> {
  const { deps, caller, company, input } = call;
  const { partner, number } = input;
  await requireCounter(deps.db, company.companyId, partner);
  const [closing] = await closingsWhere(
    deps.db,
    sql`c.partner_id = ${partner} and c.number = ${number}`,
    1,
  );
  if (!closing) throw new Problem("not_found");
  const { cardnumber } = caller;
  const title = `Clôture de caisse n° ${number}`;
  const options = { title, subtitle: closing.shop.counter, cardnumber, madeAt: deps.now() };
  return pdf(await paper(options, (page) => draw(page, closing)), `cloture-caisse-${number}.pdf`);
}

const since = (from: string | null): string =>
  from === null ? "première vente" : formatDateTime(from);

async function draw(page: Paper, closing: Closing): Promise<void> {
  const { number, shop, from, until, closedBy, cashiers, means } = closing;
  const { sales, paidCents, discountCents, returnedCents } = sumOfTotals(cashiers);
  page.facts([
    ["Point de vente", shop.counter],
    ["Adresse", shop.place],
    ...(shop.company === null ? [] : [["Entreprise", shop.company] as const]),
    ...(shop.siret === null ? [] : [["SIRET", shop.siret] as const]),
    ["Clôture n°", String(number)],
    ["Depuis", since(from)],
    ["Jusqu’au", formatDateTime(until)],
    ["Clôturée par", closedBy],
    ["Nombre de ventes", formatCount(sales)],
    ["Ventes avant remise", formatMoney(paidCents + discountCents)],
    ["Remises", formatMoney(-discountCents)],
    ["Encaissé", formatMoney(paidCents)],
    ["Rendu (annulations et remboursements)", formatMoney(-returnedCents)],
    ["Encaissé moins rendu", formatMoney(paidCents - returnedCents)],
  ]);
  page.heading("Par encaisseur");
  const money = { width: 76, right: true };
  await page.table(
    [
      { title: "Encaissé par", width: 119 },
      { title: "Ventes", width: 60, right: true },
      { title: "Avant remise", ...money },
      { title: "Remises", ...money },
      { title: "Rendu", ...money },
      { title: "Encaissé − rendu", ...money },
    ],
    [...cashiers, sumOfTotals(cashiers)].map((one) => [
      one.cashier,
      formatCount(one.sales),
      formatMoney(one.paidCents + one.discountCents),
      formatMoney(-one.discountCents),
      formatMoney(-one.returnedCents),
      formatMoney(one.paidCents - one.returnedCents),
    ]),
  );
  page.heading("Par moyen de paiement");
  if (means === null) {
    page.paragraph("Cette clôture a été faite avant que ces totaux soient gardés.");
    return;
  }
  await page.table(
    [
      { title: "Cagnotte", width: 207 },
      { title: "Encaissé", width: 92, right: true },
      { title: "Rendu", width: 92, right: true },
      { title: "Encaissé − rendu", width: 92, right: true },
    ],
    means.map((one) => [
      meansName(one),
      formatMoney(one.paidCents),
      formatMoney(-one.returnedCents),
      formatMoney(one.paidCents - one.returnedCents),
    ]),
  );
}

interface ClosingFilter {
  partner: string;
  number?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Closings as CSV, newest first: for each its total, then its cashiers and means, each named as such. */
export async function closingsCsv({
  deps,
  company,
  input,
}: CompanyCall<ClosingFilter>): Promise<Document> {
  const { partner, number = null, from, to } = input;
  await requireCounter(deps.db, company.companyId, partner);
  const found = await closingsWhere(
    deps.db,
    sql`c.partner_id = ${partner} and (${number}::int is null or c.number = ${number})
      and c.until_at >= ${from ? startOfDay(from) : "-infinity"}::timestamptz
      and c.until_at < ${to ? startOfDay(addDays(to, 1)) : "infinity"}::timestamptz`,
    maxClosingsInFile + 1,
  );
  const closings = found.slice(0, maxClosingsInFile);
  const max = formatCount(maxClosingsInFile);
  const rest =
    found.length > closings.length
      ? [[`Seules les ${max} clôtures les plus récentes sont dans ce fichier.`]]
      : [];
  const file = csvOf([[...head], ...closings.flatMap(rowsOf), ...rest]);
  return csv(file, number === null ? "caisse-clotures.csv" : `cloture-caisse-${number}.csv`);
}

const head = [
  "Clôture n°",
  "Depuis",
  "Jusqu’au",
  "Clôturée par",
  "Point de vente",
  "Ligne",
  "Nom",
  "Nombre de ventes",
  "Avant remise (€)",
  "Remises (€)",
  "Encaissé (€)",
  "Rendu (€)",
  "Encaissé moins rendu (€)",
] as const;

function rowsOf({ number, from, until, closedBy, shop, cashiers, means }: Closing) {
  const named = [number, since(from), formatDateTime(until), plain(closedBy), plain(shop.counter)];
  const totals = (line: string, name: string, one: TillTotals) => [
    ...named,
    line,
    plain(name),
    one.sales,
    decimal(one.paidCents + one.discountCents),
    decimal(-one.discountCents),
    decimal(one.paidCents),
    decimal(-one.returnedCents),
    decimal(one.paidCents - one.returnedCents),
  ];
  const byMeans = (one: TillMeans) => [
    ...named,
    "Moyen de paiement",
    plain(meansName(one)),
    "",
    "",
    "",
    decimal(one.paidCents),
    decimal(-one.returnedCents),
    decimal(one.paidCents - one.returnedCents),
  ];
  return [
    totals("Total", "", sumOfTotals(cashiers)),
    ...cashiers.map((one) => totals("Encaisseur", one.cashier, one)),
    ...(means ?? []).map(byMeans),
  ];
}
