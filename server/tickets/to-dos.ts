// To-dos of tickets on a person's home page, and the upcoming tickets shown there.
import { type RawBuilder, sql } from "kysely";
import { addDays, parisDay, startOfDay } from "#contract/days.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { DayTicket } from "#contract/portal/family-day.ts";
import type { Db } from "#server/db/db.ts";
import { sqlAtPlace } from "#server/db/link.ts";
import { query } from "#server/db/query.ts";
import { mayActFor } from "#server/family/family.ts";
import type { HolderHome, HomeDayFact, HomeDays, TileFacts } from "#server/portal/portal.ts";
import { ownTicketsPath } from "./announcements.ts";

const ownTickets = sql<string>`${sql.lit(ownTicketsPath)}`;
const transferPath = sqlAtPlace(ownTickets, "ticketTransfer", sql.ref("x.id"));
const waitPath = sqlAtPlace(ownTickets, "ticketWait", sql.ref("w.id"));

/**
 * SQL: transfers to answer for oneself or a child, places that the waiting list offers, and the cart
 * while it is held.
 */
export const ticketToDos = ({ me, at }: HolderHome): RawBuilder<unknown> => sql`
  select 'ticket_received' as kind, x.id::text as id, x.to_id as person_id, giver.name as "from",
    o.title as what, x.expires_at as until, ${transferPath} as path
  from ticket_transfer x join ticket t on t.id = x.ticket_id and t.state = 'issued'
  join ticket_session s on s.id = t.session_id and s.starts_at > ${at}
  join ticket_event o on o.id = s.event_id join person giver on giver.id = x.from_id
  where x.state = 'open' and x.expires_at > ${at} and ${mayActFor(me, sql.ref("x.to_id"))}
  union all
  select 'ticket_offered', o.id::text, w.owner_id, null, o.title, w.offered_until,
    ${waitPath}
  from ticket_wait w join ticket_session s on s.id = w.session_id and s.starts_at > ${at}
  join ticket_event o on o.id = s.event_id
  where w.person_id = ${me} and w.state = 'offered' and w.offered_until > ${at}
  union all
  select 'cart', c.id::text, c.person_id, null, (select min(o.title) from ticket t
      join ticket_session s on s.id = t.session_id join ticket_event o on o.id = s.event_id
      where t.order_id = c.id and t.state = 'held'), c.expires_at,
    ${sql.lit(linkTo(paths.tickets, {}, { cart: "" }))}
  from ticket_order c
  where c.person_id = ${me} and c.state = 'cart' and c.expires_at > ${at}
    and exists (select from ticket t where t.order_id = c.id and t.state = 'held')`;

type TicketHolders = Pick<HolderHome, "people" | "at">;

/** SQL: valid tickets `t` of persons with their sessions `s` that are not over and events `o`; begins a condition. */
const validTickets = ({ people, at }: TicketHolders): RawBuilder<unknown> => sql`
  from ticket t join ticket_session s on s.id = t.session_id and s.ends_at > ${at}
  join ticket_event o on o.id = s.event_id join person p on p.id = t.owner_id
  where t.owner_id = any(${people}::bigint[]) and t.state = 'issued' and t.issued_at is not null`;

/** SQL: valid tickets of persons for sessions that are not over, those of one session together. */
export const ticketsToCome = (home: TicketHolders): RawBuilder<unknown> => sql`
  select 'ticket' as kind, s.id::text as id, o.title,
    array_agg(distinct p.name) as holders,
    min((select number from current_card(p.id))) as cardnumber, o.venue as place,
    null::int as idgroup, count(*)::int as count, s.starts_at as "from", s.ends_at as until,
    false as suspended
  ${validTickets(home)}
  group by s.id, o.id`;

/** The tickets of each person for sessions that begin from today to the last of some days, the nearest first. */
export async function ticketsOfDays(
  db: Db,
  home: HolderHome,
  { to }: HomeDays,
): Promise<HomeDayFact[]> {
  const today = parisDay(home.at);
  const { rows } = await sql<TicketRow>`
    select t.owner_id as person_id, s.id::text as id, o.title, o.venue as place,
      s.starts_at as "from", count(*)::int as count
    ${validTickets(home)}
      and s.starts_at >= ${startOfDay(today)} and s.starts_at < ${startOfDay(addDays(to, 1))}
    group by t.owner_id, s.id, o.id order by s.starts_at, s.id, t.owner_id`.execute(db);
  return rows.map(({ personId, ...ticket }) => ({
    personId,
    day: parisDay(ticket.from),
    ticket: { ...ticket, from: ticket.from.toISOString() },
  }));
}

interface TicketRow extends Omit<DayTicket, "from"> {
  personId: number;
  from: Date;
}

/** The tickets of the next session that one of these persons has tickets for. */
export async function ticketFacts(db: Db, home: HolderHome): Promise<Pick<TileFacts, "tickets">> {
  const found = await query(db).maybeOne(sql<{ count: number; from: Date }>`
    select count, "from" from (${ticketsToCome(home)}) coming
    order by "from", id limit 1`);
  return { tickets: found ? { count: found.count, from: found.from.toISOString() } : null };
}
