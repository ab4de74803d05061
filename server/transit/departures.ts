// When buses leave: the days of service, told apart from the days of the clock. A bus of Saturday's
// service at 25:10 leaves on Sunday at 01:10; a day of 23 or 25 hours moves no departure.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { transit as limits } from "#contract/limits.ts";
import type { Departure, LineBadge, TransitStop } from "#contract/transit/rows.ts";
import type { Db } from "#server/db/db.ts";
import { stopOf } from "./stops.ts";

interface Feed {
  id: number;
  firstOn: string;
  lastOn: string;
  longest: number;
}

async function currentFeed(db: Db): Promise<Feed | undefined> {
  const { rows } = await sql<Feed>`select id, first_on as "firstOn", last_on as "lastOn", longest
    from transit_feed where current`.execute(db);
  return rows[0];
}

const badge = sql`jsonb_build_object('id', l.id, 'number', l.number, 'color', '#' || l.color,
  'textColor', '#' || l.text_color)`;

/** The departures of one stop in a feed, with their trips, of one line or direction when asked. */
const departing = (feed: Feed, asked: Asked) => sql`transit_departure d
  join transit_trip t on t.feed_id = d.feed_id and t.id = d.trip_id
  join transit_line l on l.id = t.line_id
  where d.feed_id = ${feed.id} and d.stop_id = ${asked.stop}
    and (${asked.line ?? null}::int is null or t.line_id = ${asked.line ?? null}::int)
    and (${asked.direction ?? null}::int is null or t.direction = ${asked.direction ?? null}::int)`;

interface Asked {
  stop: number;
  line?: number | undefined;
  direction?: number | undefined;
}

/**
 * The next departures of a stop from `now` on, at most `limit`, within seven days. `not_found` for a
 * stop that the network does not have.
 */
export async function departuresOf(
  db: Db,
  now: Date,
  asked: Asked & { limit?: number | undefined },
): Promise<{ stop: TransitStop; now: string; items: Departure[]; knownUntil: string | null }> {
  const stop = await stopOf(db, asked.stop);
  const feed = await currentFeed(db);
  if (!feed) throw new Problem("not_found");
  const most = asked.limit ?? limits.departures;
  // The service days of the past whose last buses may still be on their way.
  const behind = Math.floor(feed.longest / 86_400) + 1;
  const { rows } = await sql<Omit<Departure, "at"> & { at: Date }>`
    with day as materialized (
      select transit_midnight(on_day) as midnight,
        array(select transit_running(${feed.id}, on_day)) as services
      from (select paris_day(${now}::timestamptz) + n as on_day
        from generate_series(${-behind}::int, ${limits.aheadDays}::int) n) near)
    select day.midnight + make_interval(secs => x.departs) as at, x.line, x.direction, x."to"
    from day cross join lateral (
      select d.departs, ${badge} as line, t.direction, t.head as "to", l.place, t.id
      from ${departing(feed, asked)}
        and d.departs >= ceil(extract(epoch from ${now}::timestamptz - day.midnight))::int
        and d.service_id = any(day.services)
      order by d.departs limit ${most}) x
    where day.midnight + make_interval(secs => x.departs)
      < ${now}::timestamptz + make_interval(days => ${limits.aheadDays})
    order by at, x.place, x.id limit ${most}`.execute(db);
  return {
    stop,
    now: now.toISOString(),
    items: rows.map(({ at, ...one }) => ({ ...one, at: at.toISOString() })),
    knownUntil: feed.lastOn,
  };
}

/** A line in one direction at one stop, with every departure of the day. */
interface TimetableRow {
  line: LineBadge;
  direction: number;
  to: string;
  times: string[];
}

/**
 * The departures of a stop in the service day `on` (YYYY-MM-DD, today in Paris unless told), by line
 * and destination; those past midnight belong to the day before. `not_found` for an unknown stop.
 */
export async function timetableOf(
  db: Db,
  now: Date,
  asked: Asked & { on?: string | undefined },
): Promise<{
  stop: TransitStop;
  on: string;
  from: string | null;
  until: string | null;
  items: TimetableRow[];
}> {
  const stop = await stopOf(db, asked.stop);
  const feed = await currentFeed(db);
  if (!feed) throw new Problem("not_found");
  const { rows: days } = await sql<{ today: string }>`
    select paris_day(${now}::timestamptz) as today`.execute(db);
  const today = days[0]?.today ?? feed.firstOn;
  const on = asked.on ?? today;
  const { rows } = await sql<Omit<TimetableRow, "times"> & { departs: number[]; midnight: Date }>`
    select ${badge} as line, t.direction, t.head as "to", transit_midnight(${on}) as midnight,
      array_agg(d.departs order by d.departs) as departs
    from ${departing(feed, asked)}
      and d.service_id = any(array(select transit_running(${feed.id}, ${on})))
    group by l.id, t.direction, t.head order by l.place, t.direction, min(d.departs)`.execute(db);
  return {
    stop,
    on,
    from: today > feed.firstOn ? today : feed.firstOn,
    until: feed.lastOn,
    items: rows.map(({ departs, midnight, ...row }) => ({
      ...row,
      times: departs.map((seconds) => new Date(midnight.getTime() + seconds * 1000).toISOString()),
    })),
  };
}
