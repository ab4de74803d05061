// The statement of a month on paper: from the sales to what was paid out, then a line for each day.
import { sql } from "kysely";
import { formatDate, formatMoney, formatMonth } from "#contract/french.ts";
import type { SettlementPayout, SettlementStatement } from "#contract/settlement/rows.ts";
import {
  payoutStateNames,
  type SettlementSource,
  settlementSourceNames,
} from "#contract/settlement/states.ts";
import type { Db } from "#server/db/db.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { type Document, pdf } from "#server/http/document.ts";
import { paper, type Paper } from "#server/http/paper.ts";
import { requireMoney, statementOf } from "./statement.ts";

/** The PDF of a month of the caller's company. */
export async function statementPdf(call: PersonCall<{ month: string }>): Promise<Document> {
  const { companyId, name } = await requireMoney(call);
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

/** At most a line for each day and source, whatever the month sold. */
async function daysOf(db: Db, companyId: string, month: string): Promise<DayLine[]> {
  const { rows } = await sql<DayLine>`
    select to_char(paris_day(at), 'YYYY-MM-DD') as day, source,
      (count(*) filter (where kind = 'sale'))::int as sales,
      sum(gross_cents)::bigint as "grossCents", sum(commission_cents)::bigint as "commissionCents"
    from settlement_line where company_id = ${companyId} and month = ${month}
    group by 1, source order by 1, source`.execute(db);
  return rows;
}

const signed = (cents: number): string => formatMoney(cents, { signed: true });

interface Drawing {
  name: string;
  statement: SettlementStatement;
  days: readonly DayLine[];
}

async function draw(page: Paper, { name, statement, days }: Drawing): Promise<void> {
  const { invoice, payouts, returned } = statement;
  const document = invoice ? `, ${invoice.number}` : "";
  page.facts([
    ["Entreprise", name],
    ["Clos le", formatDate(statement.closedAt)],
    ["Reporté du relevé précédent", formatMoney(statement.openingCents)],
    ["Ventes moins remboursements", formatMoney(statement.grossCents)],
    [`Commission hors taxe${document}`, signed(-statement.commissionCents)],
    [`TVA sur la commission${document}`, signed(-statement.vatCents)],
    ["Ce que le mois rapporte", formatMoney(statement.netCents)],
    ...payouts.map((one) => [wordsOf(one), signed(-one.amountCents)] as const),
    ...[...payouts, ...returned]
      .filter(({ returnedHere }) => returnedHere)
      .map((one) => [`Revenu, ${one.reference}`, signed(one.amountCents)] as const),
    ["Reste à régler", formatMoney(statement.closingCents)],
    ["Contrôle", formatMoney(statement.controlCents)],
  ]);
  page.paragraph(
    "Le contrôle additionne les écarts entre les lignes, les sommes et le grand livre : il vaut zéro.",
  );
  page.heading("Par jour");
  if (days.length === 0) {
    page.paragraph("Aucune vente ce mois-ci.");
    return;
  }
  await page.table(
    [
      { title: "Jour", width: 80 },
      { title: "Source", width: 143 },
      { title: "Ventes", width: 70, right: true },
      { title: "Montant", width: 95, right: true },
      { title: "Commission HT", width: 95, right: true },
    ],
    days.map(({ day, source, sales, grossCents, commissionCents }) => [
      formatDate(day),
      settlementSourceNames[source],
      String(sales),
      formatMoney(grossCents),
      formatMoney(commissionCents),
    ]),
  );
}

const wordsOf = ({ state, reference, executeOn, reason }: SettlementPayout): string =>
  `${payoutStateNames[state]}, ${reference}, ${formatDate(executeOn)}${reason ? `, ${reason}` : ""}`;
