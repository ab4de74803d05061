// Reads of enrolments: by their company, by their holder, locked for a change.
import { sql } from "kysely";
import type { CommutingEnrolment } from "#contract/commuting/rows.ts";
import type { EnrolmentState } from "#contract/commuting/states.ts";
import type { Db } from "#server/db/db.ts";

export interface EnrolmentRow {
  id: string;
  number: number;
  planId: string;
  companyId: string;
  company: string;
  siren: string | null;
  service: string;
  /** The portal's service under which the offer has its page. */
  code: string | null;
  network: string;
  products: string[];
  employerPercent: number;
  state: EnrolmentState;
  name: string;
  staffNumber: string | null;
  cardnumber: number;
  /** Null until it is accepted. */
  holderId: number | null;
  /** Whoever has the card that was typed, if it is a holder's; never disclosed to the company. */
  bearerId: number | null;
  bearer: string | null;
  invitedAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
  endedAt: Date | null;
  endedBy: "company" | "holder" | null;
  lastPass: { name: string; lastDay: string } | null;
}

/** SQL: the person of an enrolment (alias `e`). */
export const bearer = sql`coalesce(e.holder_id, card.person_id)`;

/** Enrolments by a condition; an invitation past its time reads as expired. */
export async function enrolmentsWhere(
  db: Db,
  at: Date,
  condition: ReturnType<typeof sql>,
  end = sql``,
): Promise<EnrolmentRow[]> {
  const { rows } = await sql<EnrolmentRow>`
    select e.id, e.number, e.plan_id, p.company_id, c.name as company,
      c.siren, p.service_id as service, (select code from service where screen = 'transport'
        and audience = t.audience order by place limit 1) as code,
      t.network, t.products, p.employer_percent,
      case when e.state = 'invited' and e.expires_at <= ${at} then 'expired' else e.state end as state,
      e.name, e.staff_number, e.cardnumber, e.holder_id,
      h.id as bearer_id, h.name as bearer, e.invited_at,
      e.expires_at, e.accepted_at, e.ended_at,
      e.ended_by,
      (select json_build_object('name', b.product_name, 'lastDay', b.last_day)
        from commuting_purchase b where b.enrolment_id = e.id
        order by b.last_day desc, b.number desc limit 1) as last_pass
    from commuting_enrolment e join commuting_plan p on p.id = e.plan_id
    join company c on c.id = p.company_id join transport_service t on t.id = p.service_id
    left join card on card.number = e.cardnumber
    left join person h on h.id = ${bearer} and h.type = 1 and h.disabled_at is null
    where ${condition} ${end}`.execute(db);
  return rows;
}

/** An enrolment as the company sees it: the data that it typed, and the answer. */
export function toEnrolmentView(row: EnrolmentRow): CommutingEnrolment {
  const { id, name, staffNumber, state, endedBy, lastPass } = row;
  return {
    id,
    name,
    staffNumber,
    last4: String(row.cardnumber).slice(-4),
    state,
    invitedAt: row.invitedAt.toISOString(),
    expiresAt: state === "invited" ? row.expiresAt.toISOString() : null,
    acceptedAt: row.acceptedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    endedBy,
    lastPass,
  };
}
