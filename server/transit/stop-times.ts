// Turns stop times into departures, in SQL: orders each trip's stops, interpolates missing times,
// repeats trips of frequencies.txt, and leaves out the last stop, where nobody boards.
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { FeedRefused, type Report } from "./report.ts";

const file = "stop_times.txt";

/** Makes gtfs_stop from gtfs_time: one row per stop of a trip, in order, with a time, never going back. */
export async function orderStops(tx: Tx, report: Report): Promise<void> {
  await sql`analyze gtfs_time`.execute(tx);
  await sql`create temp table gtfs_stop on commit drop as
    select line, trip, seq, stop, departs, boards > 0 as boards, boards = 2 as on_request,
      lead(stop) over w is null as last, coalesce(departs < lag(departs) over w, false) as back
    from (select distinct on (trip, seq) * from gtfs_time order by trip, seq, line) once
    window w as (partition by trip order by seq)`.execute(tx);
  await sql`analyze gtfs_stop`.execute(tx);
  await reportDuplicates(tx, report);
  await fillTimes(tx);
  await dropTrips(tx, report, sql`back`, "l'heure recule, course écartée");
  await dropTrips(tx, report, sql`departs is null`, "heure du départ ou de l'arrivée manquante");
  report.requireMostRowsValid(file);
}

async function reportDuplicates(tx: Tx, report: Report): Promise<void> {
  const { doubled } = await query(tx).one(sql<{ doubled: number }>`
    select (select count(*) from gtfs_time) - (select count(*) from gtfs_stop) as doubled`);
  if (!doubled) return;
  const { rows: found } = await sql<{ line: number }>`
    select t.line from gtfs_time t where not exists (select from gtfs_stop s where s.line = t.line)
    order by t.line limit 100000`.execute(tx);
  for (const { line } of found)
    report.rejectRow(file, line, "rang donné deux fois dans une course");
}

/** Stops without a time are spaced evenly between the ones before and after that have one. */
async function fillTimes(tx: Tx): Promise<void> {
  const { rows } = await sql`select from gtfs_stop where departs is null limit 1`.execute(tx);
  if (rows.length === 0) return;
  await sql`update gtfs_stop s set departs = f.departs from (
    select trip, seq, (first_value(departs) over before
        + (last_value(departs) over after - first_value(departs) over before)
          * (n - first_value(n) over before)
          / nullif(last_value(n) over after - first_value(n) over before, 0))::int as departs, known
    from (select trip, seq, departs, departs is not null as known,
        row_number() over w as n, count(departs) over w as behind,
        count(departs) over (partition by trip order by seq desc) as ahead
      from gtfs_stop where trip in (select trip from gtfs_stop where departs is null)
      window w as (partition by trip order by seq)) numbered
    window before as (partition by trip, behind order by seq),
      after as (partition by trip, ahead order by seq
        rows between current row and unbounded following)) f
    where f.trip = s.trip and f.seq = s.seq and not f.known`.execute(tx);
}

async function dropTrips(
  tx: Tx,
  report: Report,
  wrong: ReturnType<typeof sql>,
  why: string,
): Promise<void> {
  const { rows } = await sql<{ line: number }>`
    with bad as (select trip, min(line) as line from gtfs_stop where ${wrong} group by trip),
      gone as (delete from gtfs_stop s using bad where s.trip = bad.trip)
    select line from bad order by line`.execute(tx);
  for (const { line } of rows) report.rejectRow(file, line, why);
}

/**
 * Writes transit_departure from gtfs_stop and transit_trip, those of one stop, line and direction side
 * by side. Gives how many there are and the latest second of a day. Throws `FeedRefused` when there is none.
 */
export async function writeDepartures(
  tx: Tx,
  feedId: number,
): Promise<{ count: number; longest: number }> {
  await sql`analyze gtfs_trip`.execute(tx);
  await sql`create temp table gtfs_shift on commit drop as
    select q.trip, start - (select min(departs) from gtfs_stop s where s.trip = q.trip) as shift
    from gtfs_frequency q, generate_series(q.starts, q.ends - 1, q.every) start`.execute(tx);
  await sql`analyze gtfs_shift`.execute(tx);
  await sql`analyze transit_trip`.execute(tx);
  await sql`insert into transit_departure (feed_id, stop_id, line_id, direction, departs, trip_id,
      service_id, on_request)
    select ${feedId}, s.stop, t.line_id, t.direction, s.departs + coalesce(f.shift, 0), s.trip,
      g.service, s.on_request
    from gtfs_stop s join gtfs_trip g on g.id = s.trip
      join transit_trip t on t.feed_id = ${feedId} and t.id = s.trip
      left join gtfs_shift f on f.trip = s.trip
    where s.boards and not s.last
    order by 2, 3, 4, 5`.execute(tx);
  const { count, longest } = await query(tx).one(sql<{ count: number; longest: number | null }>`
    select count(*)::int as count, max(departs) as longest from transit_departure
    where feed_id = ${feedId}`);
  if (longest === null) throw new FeedRefused("Aucun départ n'a pu être lu dans stop_times.txt.");
  return { count, longest };
}
