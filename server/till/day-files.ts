// The days of a counter in a month as CSV and as PDF, of the same lines as the screen.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { capital, formatCount, formatDate, formatMoney, formatMonth } from "#contract/french.ts";
import { sumOfTotals, type TillTotals } from "#contract/till/closings.ts";
import { netOf, type TillDay, type TillDaySearch, weekDifference } from "#contract/till/days.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { csvOf, decimal, plain } from "#server/http/csv.ts";
import { csv, type Document, pdf } from "#server/http/document.ts";
import { paper, type Paper } from "#server/http/paper.ts";
import { daysOfMonth } from "./days.ts";

/** The name of a counter with its days of the month; `not_found` for another company's. */
async function read({ deps, company, input }: CompanyCall<TillDaySearch>) {
  const { db } = deps;
  const counter = await query(db).maybeOne(sql<{ name: string }>`
    select name from partner where id = ${input.partner} and company_id = ${company.companyId}`);
  if (!counter) throw new Problem("not_found");
  return { name: counter.name, days: await daysOfMonth(db, input, parisDay(deps.now())) };
}

const head = [
  "Jour",
  "Point de vente",
  "Ligne",
  "Nom",
  "Nombre de ventes",
  "Avant remise (€)",
  "Remises (€)",
  "Encaissé (€)",
  "Rendu (€)",
  "Encaissé moins rendu (€)",
  "Écart avec la semaine d’avant (€)",
] as const;

/** The days as CSV, the latest first: for each its total, then its cashiers, each named as such. */
export async function daysCsv(call: CompanyCall<TillDaySearch>): Promise<Document> {
  const { name, days } = await read(call);
  const file = csvOf([[...head], ...days.flatMap((one) => rowsOf(one, name))]);
  return csv(file, `caisse-jours-${call.input.month}.csv`);
}

function rowsOf(one: TillDay, counter: string): (string | number)[][] {
  const difference = weekDifference(one);
  const row = (line: string, name: string, totals: TillTotals, last: string) => [
    formatDate(one.day),
    plain(counter),
    line,
    plain(name),
    totals.sales,
    decimal(totals.paidCents + totals.discountCents),
    decimal(-totals.discountCents),
    decimal(totals.paidCents),
    decimal(-totals.returnedCents),
    decimal(netOf(totals)),
    last,
  ];
  return [
    row("Total", "", sumOfTotals(one.cashiers), difference === null ? "" : decimal(difference)),
    ...one.cashiers.map((totals) => row("Encaisseur", totals.cashier, totals, "")),
  ];
}

/** The days as PDF: the month's totals, then its days, then the same by cashier. */
export async function daysPdf(call: CompanyCall<TillDaySearch>): Promise<Document> {
  const { deps, caller, input } = call;
  const { name, days } = await read(call);
  const title = `${capital(formatMonth(`${input.month}-01`))}, jour par jour`;
  const { cardnumber } = caller;
  const options = { title, subtitle: name, cardnumber, madeAt: deps.now() };
  return pdf(await paper(options, (page) => draw(page, days)), `caisse-jours-${input.month}.pdf`);
}

async function draw(page: Paper, days: readonly TillDay[]): Promise<void> {
  const lines = days.flatMap(({ cashiers }) => cashiers);
  const month = sumOfTotals(lines);
  page.facts([
    ["Nombre de ventes", formatCount(month.sales)],
    ["Encaissé", formatMoney(month.paidCents)],
    ["Rendu (annulations et remboursements)", formatMoney(-month.returnedCents)],
    ["Encaissé moins rendu", formatMoney(netOf(month))],
  ]);
  if (days.length === 0) {
    page.paragraph("Aucune vente ni aucun remboursement ce mois-ci.");
    return;
  }
  const money = { width: 84, right: true };
  page.heading("Par jour");
  await page.table(
    [
      { title: "Jour", width: 92 },
      { title: "Ventes", width: 55, right: true },
      { title: "Encaissé", ...money },
      { title: "Rendu", ...money },
      { title: "Net", ...money },
      { title: "Écart semaine", ...money },
    ],
    days.map((one) => {
      const total = sumOfTotals(one.cashiers);
      const difference = weekDifference(one);
      return [
        formatDate(one.day),
        formatCount(total.sales),
        formatMoney(total.paidCents),
        formatMoney(-total.returnedCents),
        formatMoney(netOf(total)),
        difference === null ? "–" : formatMoney(difference, { signed: true }),
      ];
    }),
  );
  page.paragraph(
    "L’écart se compte avec le même jour, une semaine plus tôt. Une vente faite sans réseau compte le jour où elle a été faite, même envoyée plus tard.",
  );
  page.heading("Par encaisseur");
  await page.table(
    [
      { title: "Encaissé par", width: 176 },
      { title: "Ventes", width: 55, right: true },
      { title: "Encaissé", ...money },
      { title: "Rendu", ...money },
      { title: "Net", ...money },
    ],
    byCashier(lines).map((one) => [
      one.cashier,
      formatCount(one.sales),
      formatMoney(one.paidCents),
      formatMoney(-one.returnedCents),
      formatMoney(netOf(one)),
    ]),
  );
}

/** One line for each name, in the order of the names. */
function byCashier(lines: readonly TillTotals[]): TillTotals[] {
  const names = [...new Set(lines.map(({ cashier }) => cashier))].sort((a, b) =>
    a.localeCompare(b, "fr"),
  );
  return names.map((cashier) => ({
    ...sumOfTotals(lines.filter((one) => one.cashier === cashier)),
    cashier,
  }));
}
