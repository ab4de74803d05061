// The sheets of a company for its partners: those listed in the directory, with their current offers.
import { sql } from "kysely";
import type { Partnership } from "#contract/partners/partnerships.ts";
import type { Db } from "#server/db/db.ts";
import { localAt } from "./local-time.ts";

const maxSheets = 20;

/** The listed sheets of a company, by name. */
export async function offersOfCompany(
  db: Db,
  companyId: string,
  now: Date,
): Promise<Partnership["sheets"]> {
  const { day } = localAt(now);
  const { rows } = await sql<Partnership["sheets"][number]>`
    select p.id, p.name, c.name as category, p.street, p.town,
      (select coalesce(json_agg(json_build_object('kind', kind, 'title', title, 'detail', detail,
          'fromOn', from_on, 'toOn', to_on) order by place), '[]')
        from partner_offer where partner_id = p.id
          and (from_on is null or from_on <= ${day}::date)
          and (to_on is null or to_on >= ${day}::date)) as offers
    from partner p join partner_category c on c.id = p.category_id
    where p.company_id = ${companyId} and p.listed
    order by p.name, p.id limit ${maxSheets}`.execute(db);
  return rows;
}
