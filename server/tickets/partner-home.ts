// Events on the home page of a partner: the sessions to come with their sales, the last admissions.
import { sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import type { HomeScan, HomeSession } from "#contract/portal/professional-home.ts";
import type { Db } from "#server/db/db.ts";
import {
  type CompanyHome,
  companyHomeLimits,
  type CompanyHomePart,
} from "#server/portal/portal.ts";

/** Events on a company's home page, for roles that charge. */
export async function eventsHome({
  db,
  companyId,
  roles,
  at,
}: CompanyHome): Promise<CompanyHomePart> {
  if (!companyCan.charge(roles)) return {};
  const [sessions, scans] = await Promise.all([
    sessionsOfCompany(db, { companyId, at, max: companyHomeLimits.sessions }),
    admissionsOfCompany(db, { companyId, max: companyHomeLimits.scans }),
  ]);
  return { sessions, scans };
}

/** Sessions of a company's events that are not over, the nearest first, at most `max`. */
async function sessionsOfCompany(
  db: Db,
  { companyId, at, max }: { companyId: string; at: Date; max: number },
): Promise<HomeSession[]> {
  const { rows } = await sql<Omit<HomeSession, "startsAt"> & { startsAt: Date }>`
    select s.id as session, o.title, s.starts_at,
      (select seats from ticket_quota where session_id = s.id and category_id is null) as seats,
      (select count(*)::int from ticket t where t.session_id = s.id
        and t.state in ('issued', 'used')) as sold,
      (select count(*)::int from ticket t where t.session_id = s.id and t.state = 'used') as admitted
    from ticket_session s join ticket_event o on o.id = s.event_id
    where o.company_id = ${companyId} and o.cancelled_at is null and s.ends_at > ${at}
    order by s.starts_at, o.title, s.id limit ${max}`.execute(db);
  return rows.map((row) => ({ ...row, startsAt: row.startsAt.toISOString() }));
}

/** The last tickets that were admitted to a company's events, the latest first. */
async function admissionsOfCompany(
  db: Db,
  { companyId, max }: { companyId: string; max: number },
): Promise<HomeScan[]> {
  const { rows } = await sql<Pick<HomeScan, "id" | "name" | "where"> & { at: Date | null }>`
    select t.id, p.name, o.title as "where", t.used_at as at
    from ticket_event o join ticket_session s on s.event_id = o.id
    join ticket t on t.session_id = s.id and t.state = 'used'
    join person p on p.id = t.owner_id
    where o.company_id = ${companyId} order by t.used_at desc, t.id limit ${max}`.execute(db);
  return rows.map(({ at, ...row }) => ({
    ...row,
    kind: "ticket",
    // A used ticket always has its instant (ticket_used_at).
    at: (at as Date).toISOString(),
    verdict: "served",
    walkIn: false,
    undone: false,
    conflict: null,
  }));
}
