// The monthly list for payroll: what the company paid of which pass, by the month in which it counts. A
// yearly pass counts for a twelfth in each month of its use. The list contains no journeys.
import { sql } from "kysely";
import { formatDate } from "#contract/french.ts";
import { exemptionOn, payrollMonths } from "#contract/commuting/law.ts";
import { commuting as limits } from "#contract/commuting/limits.ts";
import type { PayrollLine } from "#contract/commuting/rows.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { csvOf, decimal, plain } from "#server/http/csv.ts";
import { csv } from "#server/http/document.ts";
import { requireOffer } from "./offer.ts";

interface PayrollQuery {
  service: string;
  month: string;
}

interface Selection extends PayrollQuery {
  companyId: string;
}

type LineRow = PayrollLine & { number: number };

/** SQL: the passes of a company that count in a month, each with its amounts of the month. */
function linesOf({ companyId, service, month }: Selection) {
  const first = `${month}-01`;
  const { percent } = exemptionOn(first);
  const parts = (cents: string) =>
    sql`${sql.ref(cents)} * (place + 1) / months - ${sql.ref(cents)} * place / months`;
  return sql`
    select counted.*, least(month_employer_cents,
      (month_price_cents * ${percent}::int + 99) / 100) as month_exempt_cents
    from (
      select b.*, ${parts("price_cents")} as month_price_cents,
        ${parts("employer_cents")} as month_employer_cents
      from (
        select b.order_id, b.number, e.name, e.staff_number, b.product_name, b.kind, b.first_day,
          b.last_day, b.price_cents, b.employer_cents, b.employer_percent,
          case b.kind when 'year' then ${payrollMonths.year}::int
            else ${payrollMonths.month}::int end as months,
          (date_part('year', ${first}::date) - date_part('year', b.first_day))::int * 12
            + (date_part('month', ${first}::date) - date_part('month', b.first_day))::int as place
        from commuting_purchase b join commuting_enrolment e on e.id = b.enrolment_id
        join commuting_plan p on p.id = e.plan_id
        where p.company_id = ${companyId} and p.service_id = ${service}) b
      where place >= 0 and place < months) counted`;
}

const columns = sql`order_id as id, number, name, staff_number,
  product_name as pass, kind, first_day, last_day,
  price_cents, employer_cents,
  employer_percent, month_price_cents, month_employer_cents,
  month_exempt_cents`;

/** A page of the month's lines, the last bought first, with the totals of the whole month. */
export async function readPayroll({
  deps,
  company,
  input,
}: CompanyCall<PayrollQuery & { before?: number | undefined; limit?: number | undefined }>) {
  const { before, limit = 50 } = input;
  await requireOffer(deps.db, input.service);
  const lines = linesOf({ ...input, companyId: company.companyId });
  const { rows } = await sql<LineRow>`
    select ${columns} from (${lines}) l
    where ${before ?? null}::bigint is null or number < ${before ?? null}::bigint
    order by number desc limit ${limit + 1}`.execute(deps.db);
  const { items, next } = pageOf(rows, limit, ({ number }) => number);
  return { items: items.map(toLine), next, ...(await totalsOf(deps.db, lines)) };
}

async function totalsOf(db: Db, lines: ReturnType<typeof sql>) {
  return await query(db).one(sql<{
    lines: number;
    monthPriceCents: number;
    monthEmployerCents: number;
    monthExemptCents: number;
  }>`
    select count(*)::int as lines,
      coalesce(sum(month_price_cents), 0)::bigint as month_price_cents,
      coalesce(sum(month_employer_cents), 0)::bigint as month_employer_cents,
      coalesce(sum(month_exempt_cents), 0)::bigint as month_exempt_cents
    from (${lines}) l`);
}

function toLine(row: LineRow): PayrollLine {
  const { id, name, staffNumber, pass, kind, firstDay, lastDay } = row;
  const { priceCents, employerCents, employerPercent } = row;
  const { monthPriceCents, monthEmployerCents, monthExemptCents } = row;
  const month = { monthPriceCents, monthEmployerCents, monthExemptCents };
  const whole = { priceCents, employerCents, employerPercent };
  return { id, name, staffNumber, pass, kind, firstDay, lastDay, ...whole, ...month };
}

const head = [
  "Mois",
  "Matricule",
  "Salarié",
  "Titre",
  "Premier jour",
  "Dernier jour",
  "Prix du titre (€)",
  "Part employeur du titre (€)",
  "Taux (%)",
  "Prix du mois (€)",
  "Part employeur du mois (€)",
  "Dont exonérée (€)",
  "Part du salarié du mois (€)",
];

/** The month as a table for payroll, by name; no cell starts a formula. */
export async function payrollCsv({ deps, company, input }: CompanyCall<PayrollQuery>) {
  await requireOffer(deps.db, input.service);
  const lines = linesOf({ ...input, companyId: company.companyId });
  const { rows } = await sql<LineRow>`
    select ${columns} from (${lines}) l order by name collate "fr-x-icu", number
    limit ${limits.maxPayrollLines}`.execute(deps.db);
  const body = rows.map((line) => [
    input.month,
    plain(line.staffNumber ?? ""),
    plain(line.name),
    plain(line.pass),
    formatDate(line.firstDay),
    formatDate(line.lastDay),
    decimal(line.priceCents),
    decimal(line.employerCents),
    line.employerPercent,
    decimal(line.monthPriceCents),
    decimal(line.monthEmployerCents),
    decimal(line.monthExemptCents),
    decimal(line.monthPriceCents - line.monthEmployerCents),
  ]);
  return csv(csvOf([head, ...body]), `transport-paie-${input.month}.csv`);
}
