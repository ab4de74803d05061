// Writes the trips and the directions of the lines from the patterns of the trips, and the path of each
// direction from the shape of its most frequent pattern.
import { sql } from "kysely";
import { transit as limits } from "#contract/limits.ts";
import type { Tx } from "#server/db/db.ts";
import { searchText } from "./search-text.ts";
import { type FeedReader, readCsvFile } from "./csv-files.ts";
import type { Trips } from "./trips.ts";
import { countIn, positionIn } from "./values.ts";
import { type Pattern, simplified, type LineDirection, directionsOf } from "./patterns.ts";

export async function writeDirections(
  tx: Tx,
  feedId: number,
  reading: FeedReader,
  trips: Trips,
): Promise<void> {
  const directions = directionsOf(await patternsOf(tx));
  const paths = await readShapes(reading, trips, directions);
  await writeTrips(tx, feedId, directions);
  for (const direction of directions) {
    const path = paths.get(direction.shape ?? 0)?.flat() ?? null;
    await sql`insert into transit_direction (feed_id, line_id, direction, head, trips, path)
      select ${feedId}, ${direction.line}, ${direction.direction}, name, ${direction.trips},
        ${path}::real[] from transit_stop where id = ${direction.to}`.execute(tx);
    await sql`insert into transit_direction_stop (feed_id, line_id, direction, place, stop_id, share)
      select ${feedId}, ${direction.line}, ${direction.direction}, n, stop, share
      from unnest(${direction.stops.map(({ id }) => id)}::int[],
        ${direction.stops.map(({ share }) => share)}::int[]) with ordinality as s (stop, share, n)
      `.execute(tx);
  }
  await nameLines(tx, feedId, directions);
}

/** The patterns of all trips, the most frequent of each line first. */
async function patternsOf(tx: Tx): Promise<Pattern[]> {
  await sql`create temp table gtfs_trip_stops on commit drop as
    select trip, array_agg(stop order by seq) as stops from gtfs_stop group by trip`.execute(tx);
  await sql`create temp table gtfs_pattern on commit drop as
    select row_number() over ()::int as id, t.line, t.direction, c.stops, count(*)::int as trips,
      array_agg(c.trip) as members, mode() within group (order by t.shape) as shape
    from gtfs_trip_stops c join gtfs_trip t on t.id = c.trip
    group by t.line, t.direction, c.stops`.execute(tx);
  await sql`analyze gtfs_pattern`.execute(tx);
  const { rows } = await sql<Pattern>`
    select p.id, p.line, p.direction, p.stops, p.trips, p.shape from gtfs_pattern p
    order by p.line, p.trips desc, cardinality(p.stops) desc, p.id`.execute(tx);
  return rows;
}

/** A trip is named by its own last stop: headsigns of real feeds say « Aller », or the trip's hour. */
async function writeTrips(
  tx: Tx,
  feedId: number,
  directions: readonly LineDirection[],
): Promise<void> {
  const directed = directions.flatMap(({ patterns, direction }) =>
    patterns.map((id) => ({ id, direction })),
  );
  await sql`insert into transit_trip (feed_id, id, line_id, direction, head)
    select ${feedId}, member, p.line, d.direction, s.name
    from gtfs_pattern p
      join unnest(${directed.map(({ id }) => id)}::int[],
        ${directed.map(({ direction }) => direction)}::int[]) as d (id, direction) on d.id = p.id
      join transit_stop s on s.id = p.stops[cardinality(p.stops)],
      unnest(p.members) as member`.execute(tx);
}

/** Names each line by where its first direction begins and ends; deletes lines without trips. */
async function nameLines(
  tx: Tx,
  feedId: number,
  directions: readonly LineDirection[],
): Promise<void> {
  const firsts = [...Map.groupBy(directions, ({ line }) => line).values()].map(
    (own) => own.toSorted((a, b) => a.direction - b.direction)[0] as LineDirection,
  );
  await sql`update transit_line set feed_id = null where feed_id = ${feedId}
    and id <> all(${firsts.map(({ line }) => line)}::int[])`.execute(tx);
  const { rows } = await sql<{ id: number; text: string; from: string; to: string }>`
    update transit_line l set from_name = a.name, to_name = b.name
    from unnest(${firsts.map(({ line }) => line)}::int[],
        ${firsts.map(({ from }) => from)}::int[],
        ${firsts.map(({ to }) => to)}::int[]) as ends (line, first, last)
      join transit_stop a on a.id = ends.first join transit_stop b on b.id = ends.last
    where l.id = ends.line
    returning l.id, l.number || ' ' || l.name as text, a.name as "from", b.name as "to"`.execute(
    tx,
  );
  await sql`update transit_line l set letters = x.letters
    from unnest(${rows.map(({ id }) => id)}::int[],
      ${rows.map(({ text, from, to }) => searchText(`${text} ${from} ${to}`))}::text[])
      as x (id, letters) where l.id = x.id`.execute(tx);
}

/** The shapes that are drawn, of all those of the feed, each with as few points as possible. */
async function readShapes(
  reading: FeedReader,
  { shapes }: Trips,
  directions: readonly LineDirection[],
): Promise<Map<number, [number, number][]>> {
  const usedShapes = new Set(directions.map(({ shape }) => shape));
  const drawn = new Map<number, { order: number; at: [number, number] }[]>();
  const { report } = reading;
  const file = "shapes.txt";
  await readCsvFile(reading, {
    file,
    required: ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"],
    take: ([id = "", lat = "", lon = "", order = ""], line) => {
      const shape = shapes.get(id);
      if (shape === undefined || !usedShapes.has(shape)) return;
      const at = positionIn(lat, lon);
      const rank = countIn(order);
      if (!at || rank === null) {
        return report.rejectRow(file, line, "point non valable", `${lat} ${lon} ${order}`);
      }
      const points = drawn.get(shape) ?? [];
      points.push({ order: rank, at });
      drawn.set(shape, points);
    },
  });
  return new Map(
    [...drawn]
      .filter(([, points]) => points.length > 1)
      .map(([shape, points]) => [
        shape,
        simplified(
          points.sort((a, b) => a.order - b.order).map(({ at }) => at),
          limits.pathPoints,
        ),
      ]),
  );
}
