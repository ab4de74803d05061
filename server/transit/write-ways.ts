// Writes the trips and the ways of the lines, once the courses are known, and draws each way from the
// shape of its commonest course.
import { sql } from "kysely";
import { transit as limits } from "#contract/limits.ts";
import type { Tx } from "#server/db/db.ts";
import { lettersOf } from "./letters.ts";
import { type Reading, readSheet } from "./rows.ts";
import type { Trips } from "./times.ts";
import { countIn, positionIn } from "./values.ts";
import { type Course, simplified, type Way, waysOf } from "./ways.ts";

export async function writeWays(
  tx: Tx,
  feedId: number,
  reading: Reading,
  trips: Trips,
): Promise<void> {
  const ways = waysOf(await coursesOf(tx));
  const paths = await readShapes(reading, trips, ways);
  await writeTrips(tx, feedId, ways);
  for (const way of ways) {
    const path = paths.get(way.shape ?? 0)?.flat() ?? null;
    await sql`insert into transit_way (feed_id, line_id, direction, head, trips, path)
      values (${feedId}, ${way.line}, ${way.direction}, ${way.head}, ${way.trips},
        ${path}::real[])`.execute(tx);
    await sql`insert into transit_way_stop (feed_id, line_id, direction, place, stop_id, share)
      select ${feedId}, ${way.line}, ${way.direction}, n, stop, share
      from unnest(${way.stops.map(({ id }) => id)}::int[],
        ${way.stops.map(({ share }) => share)}::int[]) with ordinality as s (stop, share, n)
      `.execute(tx);
  }
  await nameLines(tx, feedId, ways);
}

/** The courses of all trips, the commonest of each line first. */
async function coursesOf(tx: Tx): Promise<Course[]> {
  await sql`create temp table gtfs_course on commit drop as
    select trip, array_agg(stop order by seq) as stops from gtfs_stop group by trip`.execute(tx);
  await sql`create temp table gtfs_pattern on commit drop as
    select row_number() over ()::int as id, t.line, t.direction, c.stops, count(*)::int as trips,
      array_agg(c.trip) as members,
      mode() within group (order by t.shape) as shape, mode() within group (order by h.text) as head
    from gtfs_course c join gtfs_trip t on t.id = c.trip left join gtfs_head h on h.id = t.head
    group by t.line, t.direction, c.stops`.execute(tx);
  await sql`analyze gtfs_pattern`.execute(tx);
  const { rows } = await sql<Course>`
    select p.id, p.line, p.direction, p.stops, p.trips, p.shape,
      coalesce(nullif(p.head, ''), s.name) as head
    from gtfs_pattern p join transit_stop s on s.id = p.stops[cardinality(p.stops)]
    order by p.line, p.trips desc, cardinality(p.stops) desc, p.id`.execute(tx);
  return rows;
}

async function writeTrips(tx: Tx, feedId: number, ways: readonly Way[]): Promise<void> {
  const directed = ways.flatMap(({ courses, direction }) =>
    courses.map((id) => ({ id, direction })),
  );
  await sql`insert into transit_trip (feed_id, id, line_id, direction, head)
    select ${feedId}, t.id, t.line, d.direction, coalesce(nullif(h.text, ''), s.name)
    from gtfs_pattern p
      join unnest(${directed.map(({ id }) => id)}::int[],
        ${directed.map(({ direction }) => direction)}::int[]) as d (id, direction) on d.id = p.id
      join transit_stop s on s.id = p.stops[cardinality(p.stops)],
      unnest(p.members) as member join gtfs_trip t on t.id = member
      left join gtfs_head h on h.id = t.head`.execute(tx);
}

/** A line bears the names of the first and last stop of its first way; one without trips goes. */
async function nameLines(tx: Tx, feedId: number, ways: readonly Way[]): Promise<void> {
  const firsts = [...Map.groupBy(ways, ({ line }) => line).values()].map(
    (own) => own.toSorted((a, b) => a.direction - b.direction)[0] as Way,
  );
  await sql`update transit_line set feed_id = null where feed_id = ${feedId}
    and id <> all(${firsts.map(({ line }) => line)}::int[])`.execute(tx);
  const { rows } = await sql<{ id: number; text: string; from: string; to: string }>`
    update transit_line l set from_name = a.name, to_name = b.name
    from unnest(${firsts.map(({ line }) => line)}::int[],
        ${firsts.map(({ stops }) => stops[0]?.id)}::int[],
        ${firsts.map(({ stops }) => stops.at(-1)?.id)}::int[]) as ends (line, first, last)
      join transit_stop a on a.id = ends.first join transit_stop b on b.id = ends.last
    where l.id = ends.line
    returning l.id, l.number || ' ' || l.name as text, a.name as "from", b.name as "to"`.execute(
    tx,
  );
  await sql`update transit_line l set letters = x.letters
    from unnest(${rows.map(({ id }) => id)}::int[],
      ${rows.map(({ text, from, to }) => lettersOf(`${text} ${from} ${to}`))}::text[])
      as x (id, letters) where l.id = x.id`.execute(tx);
}

/** The shapes that are drawn, of all those that the feed has, each with as few points as will do. */
async function readShapes(
  reading: Reading,
  { shapes }: Trips,
  ways: readonly Way[],
): Promise<Map<number, [number, number][]>> {
  const wanted = new Set(ways.map(({ shape }) => shape));
  const drawn = new Map<number, { order: number; at: [number, number] }[]>();
  const { report } = reading;
  const file = "shapes.txt";
  await readSheet(reading, {
    file,
    required: ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"],
    take: ([id = "", lat = "", lon = "", order = ""], line) => {
      const shape = shapes.get(id);
      if (shape === undefined || !wanted.has(shape)) return;
      const at = positionIn(lat, lon);
      const rank = countIn(order);
      if (!at || rank === null) {
        return report.wrong(file, line, "point non valable", `${lat} ${lon} ${order}`);
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
