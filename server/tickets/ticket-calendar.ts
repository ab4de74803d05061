// The sessions of an order as a calendar file, for the message with its tickets.
import { sql } from "kysely";
import { plural } from "#contract/french.ts";
import { calendarFile } from "#server/http/calendar.ts";
import type { Deps } from "#server/process/deps.ts";
import { ownTicketsPath } from "./announcements.ts";

interface SessionRow {
  id: string;
  title: string;
  venue: string;
  address: string;
  startsAt: Date;
  endsAt: Date;
  count: number;
  holders: string[];
}

/** One event for each session with valid tickets of the order; null when there is none. */
export async function orderCalendar(
  { db, config, now }: Pick<Deps, "db" | "config" | "now">,
  orderId: string,
): Promise<Buffer | null> {
  const { rows } = await sql<SessionRow>`
    select s.id, o.title, o.venue, o.address, s.starts_at, s.ends_at,
      count(*)::int as count, array_agg(distinct p.name order by p.name) as holders
    from ticket t join ticket_session s on s.id = t.session_id
    join ticket_event o on o.id = s.event_id join person p on p.id = t.owner_id
    where t.order_id = ${orderId} and t.replaces is null and t.state = 'issued'
      and o.cancelled_at is null
    group by s.id, o.id order by s.starts_at, s.id`.execute(db);
  if (rows.length === 0) return null;
  const { hostname } = new URL(config.publicUrl);
  const events = rows.map(({ id, title, venue, address, startsAt, endsAt, count, holders }) => ({
    uid: `${id}@${hostname}`,
    startsAt,
    endsAt,
    title,
    place: `${venue}, ${address}`,
    description: `${plural(count, "billet")}\u202f: ${holders.join(", ")}.\nVos codes sont dans «\u00a0Mes billets\u00a0».`,
    url: `${config.publicUrl}${ownTicketsPath}`,
  }));
  return Buffer.from(calendarFile(events, now()));
}
