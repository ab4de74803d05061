// Sales of a company's tills to the cards of one of its partners, by month.
import { sql } from "kysely";
import type { PartnerFigures, tillPartnerships as rows } from "#contract/till/partnerships.ts";
import type { Call } from "#server/http/serve.ts";
import { otherSideOf } from "#server/partners/partners.ts";

const monthsShown = 12;

/** The figures of a partnership of the caller's company. Refuses `not_found`. */
export async function readPartnerFigures({
  deps,
  company,
  input,
}: Call<typeof rows.partnerFigures>): Promise<PartnerFigures> {
  const { companyId } = company;
  const otherId = await otherSideOf(deps.db, companyId, { id: input.id, at: deps.now() });
  const { rows: months } = await sql<PartnerFigures["months"][number]>`
    select to_char(s.paid_at at time zone 'Europe/Paris', 'YYYY-MM') as month,
      count(*)::int as sales,
      sum(s.amount_cents - s.discount_cents - s.refunded_cents)::int as paid_cents,
      sum(s.discount_cents)::int as discount_cents
    from till_sale s join partner p on p.id = s.partner_id
    join pro_card k on k.person_id = s.holder_id
    where p.company_id = ${companyId} and k.company_id = ${otherId}
      and s.state in ('paid', 'refunded')
    group by month order by month desc`.execute(deps.db);
  const sum = (what: "sales" | "paidCents" | "discountCents") =>
    months.reduce((total, month) => total + month[what], 0);
  return {
    sales: sum("sales"),
    paidCents: sum("paidCents"),
    discountCents: sum("discountCents"),
    months: months.slice(0, monthsShown),
  };
}
