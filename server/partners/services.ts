// The services of the portal, for each kind of account, and the transport services that include a card
// automatically.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Service, ServiceSheet, TransportService } from "#contract/partners/rows.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Caller } from "#server/http/caller.ts";

type Reader = Pick<Caller, "personId" | "type">;

/**
 * The services for the reader's kind of account, in order; those closed for now say why. Joining one is not
 * offered to people who may not: people of a company, children.
 */
export async function servicesFor(
  db: Db,
  { personId, type, company }: Pick<Caller, "personId" | "type" | "company">,
): Promise<Service[]> {
  const { rows } = await sql<Service>`
    select code, name, summary, screen, closed_why as closed from service
    where (audience is null or audience = ${type})
      and (screen <> 'membership' or ${company === null}::boolean
        and not exists (select from pro_card where person_id = ${personId} and closed_at is null)
        and not exists (select from current_ties() where member_id = ${personId} and role = 'child'))
    order by place`.execute(db);
  return rows;
}

/** One service; that of the other kind of account is `not_found`. */
export async function serviceOf(db: Db, type: 1 | 2, code: string): Promise<ServiceSheet> {
  const found = await query(db).maybeOne(sql<ServiceSheet>`
    select code, name, summary, screen, closed_why as closed, description, conditions from service
    where code = ${code} and (audience is null or audience = ${type})`);
  if (!found) throw new Problem("not_found");
  return found;
}

export interface TransportOffer {
  name: string;
  network: string;
  /** Ids of the fares that it grants. */
  products: string[];
}

/** An offer for employers that the operator shows; null for any other. */
export async function employersOffer(db: Db, id: string): Promise<TransportOffer | null> {
  return await query(db).maybeOne(sql<TransportOffer>`
    select name, network, products from transport_service
    where id = ${id} and audience = 2 and hidden_why is null`);
}

/**
 * Transport services that include the reader's card automatically: those for the kind of account, and of them
 * the ones for subscribed cards only while the card's yearly subscription runs. None unless the card is
 * active. `withCode` adds the service under which each has its page.
 */
export async function enrolledTransport(
  db: Db,
  { personId, type }: Reader,
  withCode: boolean,
  now: Date,
): Promise<TransportService[]> {
  const { rows } = await sql<TransportService>`
    select t.id, case when ${withCode} then (select code from service
        where screen = 'transport' and audience = t.audience order by place limit 1) end as code,
      t.name, t.network, t.summary, t.conditions, t.monthly_cents,
      t.employer_percent, t.phone, t.email
    from transport_service t
    where t.audience = ${type} and t.hidden_why is null
      and exists (select from card where person_id = ${personId} and atf = 1)
      and (not t.subscribed_only or exists (select from person
        where id = ${personId} and subscription_expires_at > ${now}))
    order by t.monthly_cents, t.name, t.id limit 200`.execute(db);
  return rows;
}
