// Imports a GTFS feed in one transaction: until it commits everybody reads the old network, and a
// refusal or a crash leaves the old one in place.
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { orderStops, writeDepartures } from "./stop-times.ts";
import type { FeedFiles } from "./feed-files.ts";
import { searchText } from "./search-text.ts";
import { type Network, readNetwork } from "./network.ts";
import { FeedRefused, Report } from "./report.ts";
import type { FeedReader } from "./csv-files.ts";
import { readServices, type Services, spanOf } from "./calendars.ts";
import { type Places, readTimes, readTrips, type Trips } from "./trips.ts";
import { writeDirections } from "./write-directions.ts";

/** Result of an import. */
export interface Imported {
  counts: { lines: number; stops: number; trips: number; stopTimes: number; departures: number };
  firstOn: string;
  lastOn: string;
  report: Report;
}

interface Import {
  files: FeedFiles;
  /** The feed's name in the list of imports. */
  name: string;
  at: Date;
  progress?: ((line: string) => void) | undefined;
}

/**
 * Imports a GTFS feed within `tx`; the network shown changes when it commits. Throws `FeedRefused`, in
 * French, when something essential is broken or another import is under way.
 */
export async function importFeed(tx: Tx, input: Import): Promise<Imported> {
  const reading = {
    files: input.files,
    report: new Report(),
    progress: input.progress ?? (() => {}),
  };
  try {
    return await loadFeed(tx, reading, input);
  } catch (error) {
    if (error instanceof FeedRefused) error.report = reading.report;
    throw error;
  }
}

async function loadFeed(tx: Tx, reading: FeedReader, { name, at }: Import): Promise<Imported> {
  await prepareTransaction(tx);
  const network = await readNetwork(reading, at);
  const services = await readServices(reading);
  const span = await requireCurrentSpan(tx, services, at);
  const { id: feedId } = await query(tx).one(sql<{ id: number }>`
    insert into transit_feed (file, first_on, last_on, longest, counts, at, current)
    values (${name}, ${span.first}, ${span.last}, 0, '{}', ${at}, false) returning id`);
  const places = await writeNetwork(tx, feedId, network);
  await writeServices(tx, feedId, services);
  const trips = await readTrips(tx, reading, places, services);
  await readTimes(tx, reading, trips, places);
  reading.progress("Calcul des horaires…");
  await orderStops(tx, reading.report);
  await writeDirections(tx, feedId, reading, trips);
  const { count, longest } = await writeDepartures(tx, feedId);
  await makeCurrent(tx, feedId, longest);
  const counts = {
    lines: network.lines.length,
    stops: network.stops.length,
    trips: countOf(trips),
    stopTimes: reading.report.rows["stop_times.txt"] ?? 0,
    departures: count,
  };
  await sql`update transit_feed set counts = ${JSON.stringify(counts)}::jsonb
    where id = ${feedId}`.execute(tx);
  return { counts, firstOn: span.first, lastOn: span.last, report: reading.report };
}

const countOf = ({ ids }: Trips) => [...ids.values()].filter((id) => id > 0).length;

/** Lock key of the import, of which only one may run in a database. */
const importLock = 7_468_001;

async function prepareTransaction(tx: Tx): Promise<void> {
  // A feed of a whole region takes longer than any request may.
  await sql`set local statement_timeout = 0`.execute(tx);
  // Between two statements it reads files; an import that hangs there is aborted, with its lock.
  await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(tx);
  // During a statement PostgreSQL would not notice that the process is gone, and would keep the lock. On
  // Windows it cannot check, and refuses the setting.
  await sql`select set_config('client_connection_check_interval', '2s', true)
    where version() !~* 'windows|visual c'`.execute(tx);
  await sql`set local work_mem = '64MB'`.execute(tx);
  const { mine } = await query(tx).one(sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${importLock}) as mine`);
  if (!mine) throw new FeedRefused("Un autre import est en cours : attendez sa fin.");
}

/** Whether an import is running in any process. */
export async function importUnderWay(tx: Tx): Promise<boolean> {
  const { free } = await query(tx).one(sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${importLock}) as free`);
  return !free;
}

/** Refuses a feed that is over, or whose start would leave days without a timetable. */
async function requireCurrentSpan(tx: Tx, services: Services, at: Date) {
  const span = spanOf(services);
  if (!span) throw new FeedRefused("Les calendriers ne contiennent aucun jour de service.");
  const { today, lastOn: known } = await query(tx).one(sql<{
    today: string;
    lastOn: string | null;
  }>`
    select paris_day(${at}::timestamptz) as today,
      (select last_on from transit_feed where current) as last_on`);
  if (span.last < today) throw new FeedRefused(`Ces horaires sont finis depuis le ${span.last}.`);
  if (span.first > today && known && known >= today) {
    throw new FeedRefused(
      `Ces horaires ne commencent que le ${span.first} : importez-les ce jour-là.`,
    );
  }
  return span;
}

/** Lines and stops keep their id if the network had them already. */
async function writeNetwork(tx: Tx, feedId: number, network: Network): Promise<Places> {
  const groups = await writeGroups(tx, network.groups);
  const { lines, stops } = network;
  const { rows: lineIds } = await sql<{ gtfsId: string; id: number }>`
    insert into transit_line as l (feed_id, gtfs_id, group_id, place, number, name, mode, color,
      text_color)
    select ${feedId}, * from unnest(${lines.map((one) => one.gtfsId)}::text[],
      ${lines.map((one) => groups.get(one.group))}::int[], ${lines.map((_, n) => n + 1)}::int[],
      ${lines.map((one) => one.number)}::text[], ${lines.map((one) => one.name)}::text[],
      ${lines.map((one) => one.mode)}::text[], ${lines.map((one) => one.color)}::text[],
      ${lines.map((one) => one.textColor)}::text[])
    on conflict (gtfs_id) do update set feed_id = excluded.feed_id, group_id = excluded.group_id,
      place = excluded.place, number = excluded.number, name = excluded.name, mode = excluded.mode,
      color = excluded.color, text_color = excluded.text_color
    returning gtfs_id, id`.execute(tx);
  const { rows: stopIds } = await sql<{ gtfsId: string; id: number }>`
    insert into transit_stop as s (feed_id, gtfs_id, name, lat, lon, letters)
    select ${feedId}, * from unnest(${stops.map((one) => one.gtfsId)}::text[],
      ${stops.map((one) => one.name)}::text[], ${stops.map((one) => one.at?.[0] ?? null)}::float8[],
      ${stops.map((one) => one.at?.[1] ?? null)}::float8[],
      ${stops.map((one) => searchText(one.name))}::text[])
    on conflict (gtfs_id) do update set feed_id = excluded.feed_id, name = excluded.name,
      lat = excluded.lat, lon = excluded.lon, letters = excluded.letters, parent_id = null
    returning gtfs_id, id`.execute(tx);
  const known = new Map(stopIds.map(({ gtfsId, id }) => [gtfsId, id]));
  const children = stops.filter(({ parent }) => parent !== null);
  await sql`update transit_stop s set parent_id = c.parent
    from unnest(${children.map((one) => known.get(one.gtfsId))}::int[],
      ${children.map((one) => known.get(one.parent ?? ""))}::int[]) as c (id, parent)
    where s.id = c.id`.execute(tx);
  return {
    lines: new Map(lineIds.map(({ gtfsId, id }) => [gtfsId, id])),
    stops: new Map(
      stops.map(({ gtfsId, parent }) => [gtfsId, known.get(parent ?? gtfsId) as number]),
    ),
  };
}

/** Each group of the feed is an acceptance group (spec.md 13), the same from feed to feed. */
async function writeGroups(tx: Tx, groups: Map<string, string>): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const [key, name] of groups) {
    const known = await query(tx).maybeOne(sql<{ id: number }>`
      update acceptance_group g set name = ${name} from transit_group t
      where t.key = ${key} and g.id = t.group_id returning g.id`);
    const id = known?.id ?? (await makeGroup(tx, key, name));
    ids.set(key, id);
  }
  return ids;
}

async function makeGroup(tx: Tx, key: string, name: string): Promise<number> {
  const slug = searchText(name).replaceAll(" ", "-").slice(0, 60) || "bus";
  // The group under which the operator already sells for this network is used; a wallet's group is not.
  const { id } = await query(tx).one(sql<{ id: number }>`
    with known as (select id from acceptance_group g where slug = ${slug} and id <> 1
        and not exists (select from wallet where group_id = g.id)
        and not exists (select from transit_group where group_id = g.id)),
      made as (insert into acceptance_group (name, slug, rule)
        select ${name}, ${slug} || case when exists
            (select from acceptance_group where slug = ${slug})
            then '-' || gen_random_uuid() else '' end, ${`Valable dans les bus : ${name}.`}
        where not exists (select from known) returning id)
    select id from known union all select id from made`);
  await sql`insert into transit_group (key, group_id) values (${key}, ${id})`.execute(tx);
  return id;
}

async function writeServices(tx: Tx, feedId: number, services: Services): Promise<void> {
  const { ids, weeks, changes } = services;
  const weekly = new Map(weeks.map((week) => [week.service, week]));
  const all = [...ids.values()];
  await sql`insert into transit_service (feed_id, id, first_on, last_on, weekdays)
    select ${feedId}, * from unnest(${all}::int[],
      ${all.map((id) => weekly.get(id)?.first ?? null)}::date[],
      ${all.map((id) => weekly.get(id)?.last ?? null)}::date[],
      ${all.map((id) => weekly.get(id)?.weekdays ?? 0)}::int[])`.execute(tx);
  await sql`insert into transit_service_change (feed_id, service_id, on_day, runs)
    select ${feedId}, * from unnest(${changes.map((one) => one.service)}::int[],
      ${changes.map((one) => one.on)}::date[], ${changes.map((one) => one.runs)}::bool[])
    on conflict do nothing`.execute(tx);
}

/** A favourite stop that has become a pole of another one is replaced by that one. */
async function moveFavourites(tx: Tx, feedId: number): Promise<void> {
  await sql`with moved as (
      delete from favourite_stop f using transit_stop s
      where s.id = f.stop_id and s.feed_id = ${feedId} and s.parent_id is not null
      returning f.person_id, s.parent_id, f.name, f.at)
    insert into favourite_stop (person_id, stop_id, name, at)
      select distinct on (person_id, parent_id) person_id, parent_id, name, at from moved
      order by person_id, parent_id, at
    on conflict do nothing`.execute(tx);
}

/** Makes the feed the current one; deletes what only other feeds had. */
async function makeCurrent(tx: Tx, feedId: number, longest: number): Promise<void> {
  await sql`update transit_feed set current = false where current`.execute(tx);
  await sql`update transit_feed set current = true, longest = ${longest}
    where id = ${feedId}`.execute(tx);
  await moveFavourites(tx, feedId);
  // Kept without a feed: a pass or a favourite may refer to them.
  await sql`update transit_line set feed_id = null where feed_id <> ${feedId}`.execute(tx);
  await sql`update transit_stop set feed_id = null where feed_id <> ${feedId}`.execute(tx);
  const tables = [
    "transit_departure",
    "transit_trip",
    "transit_direction_stop",
    "transit_direction",
    "transit_service_change",
    "transit_service",
  ];
  for (const table of tables) {
    await sql`delete from ${sql.table(table)} where feed_id <> ${feedId}`.execute(tx);
  }
  await sql`delete from transit_feed where id <> ${feedId}`.execute(tx);
  for (const table of [...tables, "transit_line", "transit_stop"]) {
    await sql`analyze ${sql.table(table)}`.execute(tx);
  }
}
