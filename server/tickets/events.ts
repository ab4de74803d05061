// Events as the API answers them: those on sale, the remaining seats, the prices for a person.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import type { EventKind, RefundPolicy } from "#contract/tickets/states.ts";
import type { EventView, EventSummary, SaleState } from "#contract/tickets/rows.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { profileOf } from "#server/entitlements/entitlements.ts";
import { holderFor } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { ticketsOfEvent } from "./orders.ts";
import { lacksOf } from "./sale-terms.ts";

interface EventRow {
  id: string;
  title: string;
  summary: string;
  kind: EventKind;
  organiser: string;
  venue: string;
  address: string;
  saleFrom: Date;
  saleUntil: Date;
  maxPerPerson: number;
  cancelled: boolean;
  /** Its partner is frozen: none of its tickets is sold. */
  frozen: boolean;
}

const eventColumns = sql`o.id, o.title, o.summary, o.kind, o.organiser, o.venue, o.address,
  o.sale_from, o.sale_until, o.max_per_person,
  o.cancelled_at is not null as cancelled,
  company_frozen(o.company_id) as frozen`;

interface EventSummaryRow extends EventRow {
  firstAt: Date;
  lastAt: Date;
  sessions: number;
  fromCents: number;
  toCents: number;
  remaining: number;
  seats: number;
}

/** Events with a session to come that are on sale, sold out or soon on sale; the nearest first. */
export async function eventsOnSale(db: Db, at: Date): Promise<EventSummary[]> {
  const { rows } = await sql<EventSummaryRow>`
    select ${eventColumns}, min(s.starts_at) as first_at, max(s.starts_at) as last_at,
      count(*)::int as sessions, sum(q.seats - q.taken)::int as remaining, sum(q.seats)::int as seats,
      (select min(price_cents) from ticket_category where event_id = o.id) as from_cents,
      (select max(price_cents) from ticket_category where event_id = o.id) as to_cents
    from ticket_event o join ticket_session s on s.event_id = o.id
    join ticket_quota q on q.session_id = s.id and q.category_id is null
    where s.starts_at > ${at} and o.cancelled_at is null and not company_frozen(o.company_id)
    group by o.id order by first_at, o.title limit 100`.execute(db);
  return rows.map((row) => ({ ...row, ...datesOf(row), ...toEventFields(row, row.remaining, at) }));
}

const datesOf = ({ firstAt, lastAt }: Pick<EventSummaryRow, "firstAt" | "lastAt">) => ({
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
});

/** The fields that lists and pages share; the sale state replaces `cancelled`. */
function toEventFields(
  { cancelled, frozen, saleFrom, saleUntil, ...rest }: EventRow,
  remaining: number,
  at: Date,
) {
  return {
    id: rest.id,
    title: rest.title,
    summary: rest.summary,
    kind: rest.kind,
    organiser: rest.organiser,
    venue: rest.venue,
    address: rest.address,
    maxPerPerson: rest.maxPerPerson,
    state: saleStateOf({ cancelled, frozen, saleFrom, saleUntil }, remaining, at),
    saleFrom: saleFrom.toISOString(),
    saleUntil: saleUntil.toISOString(),
  };
}

function saleStateOf(
  {
    cancelled,
    frozen,
    saleFrom,
    saleUntil,
  }: Pick<EventRow, "cancelled" | "frozen" | "saleFrom" | "saleUntil">,
  remaining: number,
  at: Date,
): SaleState {
  if (cancelled) return "cancelled";
  if (frozen || at >= saleUntil) return "closed";
  if (at < saleFrom) return "soon";
  return remaining > 0 ? "open" : "sold_out";
}

interface Session {
  id: string;
  startsAt: Date;
  endsAt: Date;
  seats: number;
  remaining: number;
  left: Record<string, number> | null;
  waiting: number;
}

/** An event with its future sessions, for the caller's card or one of their child. */
export async function readEvent({
  deps,
  caller,
  input,
}: PersonCall<{ event: string; cardnumber: number }>): Promise<EventView> {
  const { db } = deps;
  const at = deps.now();
  const { id: ownerId } = await holderFor(db, caller.personId, input.cardnumber);
  const event = await query(db).maybeOne(sql<EventRow & { policy: RefundPolicy }>`
    select ${eventColumns}, o.policy from ticket_event o where o.id = ${input.event}`);
  if (!event) throw new Problem("not_found");
  const { rows: sessions } = await sql<Session>`
    select s.id, s.starts_at, s.ends_at, q.seats,
      q.seats - q.taken as remaining,
      (select json_object_agg(category_id, least(seats - taken, q.seats - q.taken))
        from ticket_quota where session_id = s.id and category_id is not null) as left,
      (select coalesce(sum(quantity - held), 0)::int from ticket_wait
        where session_id = s.id and state = 'waiting') as waiting
    from ticket_session s join ticket_quota q on q.session_id = s.id and q.category_id is null
    where s.event_id = ${event.id} and s.starts_at > ${at} order by s.starts_at`.execute(db);
  const remaining = sessions.reduce((sum, session) => sum + session.remaining, 0);
  return {
    ...toEventFields(event, remaining, at),
    policy: event.policy,
    categories: await categoriesFor(db, event.id, ownerId, sessions[0]?.startsAt ?? at),
    sessions: sessions.map((session) => ({
      ...session,
      left: session.left ?? {},
      startsAt: session.startsAt.toISOString(),
      endsAt: session.endsAt.toISOString(),
    })),
    ticketsHeld: await db
      .transaction()
      .execute((tx) => ticketsOfEvent(tx, caller.personId, event.id)),
  };
}

async function categoriesFor(
  db: Db,
  eventId: string,
  ownerId: number,
  startsAt: Date,
): Promise<EventView["categories"]> {
  const { rows } = await sql<Omit<EventView["categories"][number], "lacks">>`
    select id, name, price_cents, age_min, age_max, student,
      quotient_max
    from ticket_category where event_id = ${eventId} order by place`.execute(db);
  const profile = await profileOf(db, ownerId, parisDay(startsAt));
  return rows.map((category) => ({ ...category, lacks: lacksOf(category, profile) }));
}
