// The statement of a month as PDF: from the sales to the paid amount, then a line for each day.
import { sql } from "kysely";
import { formatCount, formatDate, formatMoney, formatMonth } from "#contract/french.ts";
import type { SettlementStatement } from "#contract/settlement/rows.ts";
import { statementNames, statementSteps } from "#contract/settlement/statement-words.ts";
import {
  payoutStateNames,
  type SettlementSource,
  settlementSourceNames,
} from "#contract/settlement/states.ts";
import type { Db } from "#server/db/db.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { type Document, pdf } from "#server/http/document.ts";
import { paper, type Paper } from "#server/http/paper.ts";
import { statementOf } from "./statement.ts";

/** The PDF of a month of the caller's company. */
export async function statementPdf(call: CompanyCall<{ month: string }>): Promise<Document> {
  const { companyId, name } = call.company;
  const { month } = call.input;
  const { db, now } = call.deps;
  const statement = await statementOf(db, companyId, month);
  const days = await daysOf(db, companyId, month);
  const title = `Relevé de règlement, ${formatMonth(`${month}-01`).replace(" ", "\u00a0")}`;
  const { cardnumber } = call.caller;
  const body = await paper({ title, cardnumber, madeAt: now() }, async (page) => {
    await draw(page, { name, statement, days });
  });
  return pdf(body, `releve-reglement-${month}.pdf`);
}

interface DayLine {
  day: string;
  source: SettlementSource;
  sales: number;
  grossCents: number;
  commissionCents: number;
}

/** At most a line for each day and source, whatever the number of sales. */
async function daysOf(db: Db, companyId: string, month: string): Promise<DayLine[]> {
  const { rows } = await sql<DayLine>`
    select to_char(paris_day(at), 'YYYY-MM-DD') as day, source,
      (count(*) filter (where kind = 'sale'))::int as sales,
      sum(gross_cents)::bigint as gross_cents, sum(commission_cents)::bigint as commission_cents
    from settlement_line where company_id = ${companyId} and month = ${month}
    group by 1, source order by 1, source`.execute(db);
  return rows;
}

interface Drawing {
  name: string;
  statement: SettlementStatement;
  days: readonly DayLine[];
}

async function draw(page: Paper, { name, statement, days }: Drawing): Promise<void> {
  const names = statementNames;
  const amount = { width: 95, right: true };
  page.facts([
    ["Entreprise", name],
    ["Clos le", formatDate(statement.closedAt)],
  ]);
  await page.table(
    [
      { title: "Du brut à ce qui reste", width: 388 },
      { title: "Montant", ...amount },
    ],
    statementSteps(statement).map(({ label, cents, isTotal }) => [
      isTotal ? `= ${label}` : label,
      formatMoney(cents),
    ]),
  );
  page.facts([[names.control, formatMoney(statement.controlCents)]]);
  page.paragraph(
    "Cet écart est celui des lignes, des sommes et du grand livre : il vaut toujours zéro, sinon écrivez-nous.",
  );
  const payouts = [...statement.payouts, ...statement.returned];
  if (payouts.length > 0) {
    page.heading("Versements");
    await page.table(
      [
        { title: names.bankReference, width: 105 },
        { title: names.executeOn, width: 80 },
        { title: names.account, width: 93 },
        { title: names.state, width: 120 },
        { title: names.payout, width: 85, right: true },
      ],
      payouts.map(({ reference, executeOn, iban, state, reason, amountCents }) => [
        reference,
        formatDate(executeOn),
        iban,
        [payoutStateNames[state], reason].filter(Boolean).join(", "),
        formatMoney(amountCents),
      ]),
    );
  }
  if (days.length === 0) {
    page.paragraph("Aucune vente ce mois-ci.");
    return;
  }
  page.heading("Par source");
  await page.table(
    [
      { title: names.source, width: 103 },
      { title: names.count, width: 50, right: true },
      { title: names.sales, width: 60, right: true },
      { title: names.returns, width: 80, right: true },
      { title: names.corrections, width: 70, right: true },
      { title: names.gross, width: 60, right: true },
      { title: names.commission, width: 60, right: true },
    ],
    statement.sources.map((one) => [
      settlementSourceNames[one.source],
      formatCount(one.sales),
      formatMoney(one.salesCents),
      formatMoney(one.returnsCents),
      formatMoney(one.correctionsCents),
      formatMoney(one.grossCents),
      formatMoney(one.commissionCents),
    ]),
  );
  page.heading("Par jour");
  await page.table(
    [
      { title: "Jour", width: 80 },
      { title: names.source, width: 123 },
      { title: names.count, width: 90, right: true },
      { title: names.gross, ...amount },
      { title: names.commission, ...amount },
    ],
    days.map(({ day, source, sales, grossCents, commissionCents }) => [
      formatDate(day),
      settlementSourceNames[source],
      formatCount(sales),
      formatMoney(grossCents),
      formatMoney(commissionCents),
    ]),
  );
}
