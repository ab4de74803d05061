// Departures by service days, which differ from calendar days. A bus of Saturday's service at 25:10 leaves on
// Sunday at 01:10; a day of 23 or 25 hours moves no departure.
import { type RawBuilder, sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { transit as limits } from "#contract/limits.ts";
import type {
  Departure,
  LineBadge,
  NextDepartures,
  TransitStop,
  transit,
} from "#contract/transit/rows.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { badge, badgesOfStop } from "./stops.ts";

type Departures = Output<typeof transit.departures>;
type Timetable = Output<typeof transit.timetable>;

/**
 * Opens a statement with `found`: each line and direction that one can board at the stops of `stopIds` (a
 * query of `stop_id`), its first departure and its `NextDepartures`. Lines and directions are stepped through
 * in the index: a stop may have 50,000 departures and 50 of these.
 */
export const withNextDepartures = (now: Date, stopIds: RawBuilder<unknown>) => sql`
  with recursive feed as materialized (select id, longest from transit_feed where current),
    requested as materialized (${stopIds}),
    way as (
      select a.stop_id, x.line_id, x.direction
        from requested a cross join feed f cross join lateral (
          select d.line_id, d.direction from transit_departure d
          where d.feed_id = f.id and d.stop_id = a.stop_id
          order by d.line_id, d.direction limit 1) x
      union all
      select w.stop_id, x.line_id, x.direction
        from way w cross join feed f cross join lateral (
          select d.line_id, d.direction from transit_departure d
          where d.feed_id = f.id and d.stop_id = w.stop_id
            and (d.line_id, d.direction) > (w.line_id, w.direction)
          order by d.line_id, d.direction limit 1) x),
    -- The service days of the past whose last buses may still be on their way come first.
    day as materialized (
      select transit_midnight(on_day) as midnight,
        array(select transit_running(f.id, on_day)) as services
      from feed f cross join lateral (select paris_day(${now}::timestamptz) + n as on_day
        from generate_series(-(f.longest / 86400) - 1, ${limits.aheadDays}::int) n) near),
    found as (
      select w.stop_id, w.line_id, l.place, w.direction, x.first, jsonb_build_object('line', ${badge},
        'direction', w.direction, 'to', td.head, 'next', coalesce(x.next, '[]')) as item
      from way w cross join feed f
        join transit_line l on l.id = w.line_id
        join transit_direction td on td.feed_id = f.id and td.line_id = w.line_id
          and td.direction = w.direction
        cross join lateral (
          select min(n.at) as first, jsonb_agg(jsonb_build_object('at', n.at,
            'endsAt', nullif(t.head, td.head), 'onRequest', n.on_request) order by n.at, n.trip_id) as next
          from (
            select day.midnight + make_interval(secs => d.departs) as at, d.trip_id, d.on_request
            from day cross join lateral (
              select departs, trip_id, on_request from transit_departure
              where feed_id = f.id and stop_id = w.stop_id and line_id = w.line_id
                and direction = w.direction
                and departs >= ceil(extract(epoch from ${now}::timestamptz - day.midnight))::int
                and service_id = any(day.services)
              order by departs limit ${limits.nextEach}) d
            where day.midnight + make_interval(secs => d.departs)
              < ${now}::timestamptz + make_interval(days => ${limits.aheadDays})
            order by at limit ${limits.nextEach}) n
          join transit_trip t on t.feed_id = f.id and t.id = n.trip_id) x)`;

/** Converts instants in PostgreSQL's JSON form to those of the contract. */
export const toDepartureViews = (departures: readonly Departure[]): Departure[] =>
  departures.map(({ at, ...one }) => ({ at: new Date(at).toISOString(), ...one }));

/**
 * The next three departures of each line and direction at a stop from `now` on, within seven days,
 * in the order of the lines. `not_found` for a stop that the network does not have.
 */
export async function departuresOf(
  db: Db,
  now: Date,
  { stop, personId }: { stop: number; personId: number },
): Promise<Departures> {
  const row = await query(db).maybeOne(sql<
    TransitStop & { isFavourite: boolean; items: NextDepartures[]; knownUntil: string }
  >`${withNextDepartures(now, sql`select ${stop}::int as stop_id`)}
    select s.id, s.name, ${badgesOfStop} as lines, tf.last_on as known_until,
      exists (select from favourite_stop v
        where v.person_id = ${personId} and v.stop_id = s.id) as is_favourite,
      coalesce((select jsonb_agg(item order by place, direction) from found), '[]') as items
    from transit_stop s join transit_feed tf on tf.id = s.feed_id and tf.current
    where s.id = ${stop} and s.parent_id is null`);
  if (!row) throw new Problem("not_found");
  const { isFavourite, items, knownUntil, ...found } = row;
  return {
    stop: found,
    isFavourite,
    now: now.toISOString(),
    items: items.map((one) => ({ ...one, next: toDepartureViews(one.next) })),
    knownUntil,
  };
}

/**
 * The next departure of a stop by a line of a line group, within seven days; null where there is none,
 * or the network does not have the stop.
 */
export async function nextDepartureOf(
  db: Db,
  now: Date,
  { stop, group }: { stop: number; group: number },
): Promise<{ line: LineBadge; at: Date; onRequest: boolean } | null> {
  const row = await query(db).maybeOne(sql<{
    line: LineBadge;
    at: Date | null;
    onRequest: boolean;
  }>`
    ${withNextDepartures(now, sql`select ${stop}::int as stop_id`)}
    select f.first as at, (f.item #>> '{next,0,onRequest}')::boolean as on_request,
      ${badge} as line from found f join transit_line l on l.id = f.line_id
    where l.group_id = ${group} and f.first is not null
    order by f.first, f.place, f.direction limit 1`);
  return row?.at ? { ...row, at: row.at } : null;
}

/** The next departures of a line in one direction at the stop of a person. */
export interface RiderDepartures extends Omit<NextDepartures, "direction"> {
  personId: number;
  stop: string;
}

/**
 * The next departures of persons within seven days, each at their stop by the line and direction of their line
 * group that leaves first. `riders` is a query of `person_id`, `stop_id` and `group_id`; a person without
 * departures is left out.
 */
export async function boardingsOf(
  db: Db,
  now: Date,
  riders: RawBuilder<unknown>,
): Promise<RiderDepartures[]> {
  const stopIds = sql`select distinct stop_id from (${riders}) rider`;
  const { rows } = await sql<RiderDepartures>`${withNextDepartures(now, stopIds)}
    select distinct on (r.person_id) r.person_id, s.name as stop, f.item -> 'line' as line,
      f.item ->> 'to' as "to", f.item -> 'next' as next
    from (${riders}) r join transit_stop s on s.id = r.stop_id
      join found f on f.stop_id = r.stop_id and f.first is not null
      join transit_line l on l.id = f.line_id and l.group_id = r.group_id
    order by r.person_id, f.first, f.place, f.direction`.execute(db);
  return rows.map((one) => ({ ...one, next: toDepartureViews(one.next) }));
}

/**
 * The departures of a line in one direction at a stop, in the service day `on` (YYYY-MM-DD, by default today
 * in Paris); those past midnight belong to the day before. `not_found` for a stop or a direction that the
 * network does not have.
 */
export async function timetableOf(
  db: Db,
  now: Date,
  input: { stop: number; line: number; direction: number; on?: string | undefined },
): Promise<Timetable> {
  const found = await query(db).maybeOne(sql<Timetable>`
    select d.on_day as "on", coalesce((select jsonb_agg(jsonb_build_object(
          'at', transit_midnight(d.on_day) + make_interval(secs => p.departs),
          'endsAt', nullif(t.head, td.head), 'onRequest', p.on_request) order by p.departs, p.trip_id)
        from transit_departure p join transit_trip t on t.feed_id = p.feed_id and t.id = p.trip_id
        where p.feed_id = f.id and p.stop_id = s.id and p.line_id = td.line_id
          and p.direction = td.direction
          and p.service_id = any(array(select transit_running(f.id, d.on_day)))), '[]') as items
    from transit_feed f
      join transit_stop s on s.feed_id = f.id and s.parent_id is null
      join transit_direction td on td.feed_id = f.id
      cross join lateral (select coalesce(${input.on ?? null}::date,
        paris_day(${now}::timestamptz)) as on_day) d
    where f.current and s.id = ${input.stop} and td.line_id = ${input.line}
      and td.direction = ${input.direction}`);
  if (!found) throw new Problem("not_found");
  return { ...found, items: toDepartureViews(found.items) };
}
