// Events as holders read them: what is on sale, what remains, which prices are for whom.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { EventKind, RefundPolicy } from "#contract/ticket-states.ts";
import type { Offer, OfferLine, SaleState } from "#contract/tickets.ts";
import type { Db } from "#server/db/db.ts";
import { profileOf } from "#server/entitlements/entitlements.ts";
import type { Act } from "./cart.ts";
import { ticketsOfEvent } from "./orders.ts";
import { fits, reachedPerson } from "./wanted.ts";

interface Described {
  id: string;
  title: string;
  summary: string;
  kind: EventKind;
  organiser: string;
  venue: string;
  address: string;
  saleFrom: Date;
  saleUntil: Date;
  mostEach: number;
  cancelled: boolean;
}

const described = sql`o.id, o.title, o.summary, o.kind, o.organiser, o.venue, o.address,
  o.sale_from as "saleFrom", o.sale_until as "saleUntil", o.most_each as "mostEach",
  o.cancelled_at is not null as cancelled`;

interface Line extends Described {
  firstAt: Date;
  lastAt: Date;
  sessions: number;
  fromCents: number;
  remaining: number;
  seats: number;
}

/** Events with a session to come, on sale, sold out or soon on sale; the nearest first. */
export async function offersOnSale(db: Db, at: Date): Promise<OfferLine[]> {
  const { rows } = await sql<Line>`
    select ${described}, min(s.starts_at) as "firstAt", max(s.starts_at) as "lastAt",
      count(*)::int as sessions, sum(q.seats - q.taken)::int as remaining, sum(q.seats)::int as seats,
      (select min(price_cents) from ticket_category where offer_id = o.id) as "fromCents"
    from ticket_offer o join ticket_session s on s.offer_id = o.id
    join ticket_quota q on q.session_id = s.id and q.category_id is null
    where s.starts_at > ${at} and o.cancelled_at is null
    group by o.id order by "firstAt", o.title limit 100`.execute(db);
  return rows.map((row) => ({ ...row, ...datesOf(row), ...shown(row, row.remaining, at) }));
}

const datesOf = ({ firstAt, lastAt }: Pick<Line, "firstAt" | "lastAt">) => ({
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
});

/** The described part with its state; `cancelled` gives way to it. */
function shown(
  { cancelled, saleFrom, saleUntil, ...rest }: Described,
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
    mostEach: rest.mostEach,
    state: stateOf({ cancelled, saleFrom, saleUntil }, remaining, at),
    saleFrom: saleFrom.toISOString(),
    saleUntil: saleUntil.toISOString(),
  };
}

function stateOf(
  { cancelled, saleFrom, saleUntil }: Pick<Described, "cancelled" | "saleFrom" | "saleUntil">,
  remaining: number,
  at: Date,
): SaleState {
  if (cancelled) return "cancelled";
  if (at < saleFrom) return "soon";
  if (at >= saleUntil) return "closed";
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

/** An event with its sessions to come, for a card of one's own or of one's child. */
export async function offerFor({
  deps,
  caller,
  input,
}: Pick<Act<{ offer: string; cardnumber: number }>, "deps" | "caller" | "input">): Promise<Offer> {
  const { db } = deps;
  const at = deps.now();
  const ownerId = await reachedPerson(db, caller.personId, input.cardnumber);
  const { rows } = await sql<Described & { policy: RefundPolicy }>`
    select ${described}, o.policy from ticket_offer o where o.id = ${input.offer}`.execute(db);
  const offer = rows[0];
  if (!offer) throw new Problem("not_found");
  const { rows: sessions } = await sql<Session>`
    select s.id, s.starts_at as "startsAt", s.ends_at as "endsAt", q.seats,
      q.seats - q.taken as remaining,
      (select json_object_agg(category_id, least(seats - taken, q.seats - q.taken))
        from ticket_quota where session_id = s.id and category_id is not null) as left,
      (select coalesce(sum(quantity), 0)::int from ticket_wait
        where session_id = s.id and state = 'waiting') as waiting
    from ticket_session s join ticket_quota q on q.session_id = s.id and q.category_id is null
    where s.offer_id = ${offer.id} and s.starts_at > ${at} order by s.starts_at`.execute(db);
  const remaining = sessions.reduce((sum, session) => sum + session.remaining, 0);
  return {
    ...shown(offer, remaining, at),
    policy: offer.policy,
    categories: await categoriesFor(db, offer.id, ownerId, sessions[0]?.startsAt ?? at),
    sessions: sessions.map((session) => ({
      ...session,
      left: session.left ?? {},
      startsAt: session.startsAt.toISOString(),
      endsAt: session.endsAt.toISOString(),
    })),
    mine: await db.transaction().execute((tx) => ticketsOfEvent(tx, caller.personId, offer.id)),
  };
}

async function categoriesFor(
  db: Db,
  offerId: string,
  ownerId: number,
  startsAt: Date,
): Promise<Offer["categories"]> {
  const { rows } = await sql<Omit<Offer["categories"][number], "eligible">>`
    select id, name, price_cents as "priceCents", age_min as "ageMin", age_max as "ageMax", student,
      quotient_max as "quotientMax"
    from ticket_category where offer_id = ${offerId} order by place`.execute(db);
  const profile = await profileOf(db, ownerId, startsAt.toISOString().slice(0, 10));
  return rows.map((category) => ({ ...category, eligible: fits(category, profile) }));
}
