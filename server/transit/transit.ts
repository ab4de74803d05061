// The bus network from GTFS feeds: lines, stops, trips, departures; and the favourite stops of a person. One
// feed is current at a time; an import replaces it whole or leaves it as it was.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { transit as limits } from "#contract/limits.ts";
import type {
  LineDetail,
  LineGroup,
  LineDirection,
  TransitLine,
  TransitStop,
} from "#contract/transit/rows.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import { searchWords } from "./search-text.ts";
import { badges, withLines } from "./stops.ts";

export { boardingsOf, departuresOf, nextDepartureOf, timetableOf } from "./departures.ts";
export { addFavourite, chooseFavourite, favouritesOf } from "./favourites.ts";
export { textFeed } from "./feed-files.ts";
export { importFeed } from "./import-feed.ts";

/** Maximum number of searched words. */
const maxWords = 6;
/** A line's name matches the typed text from this similarity of their letters. */
const minSimilarity = 0.5;

/** Columns of a `TransitLine`, of `transit_line l`. */
const lineColumns = sql`l.id, l.number, '#' || l.color as color, '#' || l.text_color as text_color,
  l.name, l.mode, l.from_name as "from", l.to_name as "to", l.group_id as "group"`;

/** The last day covered by the calendars of the network; null without a network. */
async function knownUntil(db: Db): Promise<string | null> {
  const found = await query(db).maybeOne(sql<{ lastOn: string }>`
    select last_on from transit_feed where current`);
  return found?.lastOn ?? null;
}

/**
 * Lines in their order, a page at a time (`after`: `next` of the page before); with `q` those whose number
 * begins with it, or whose name or ends are similar to it.
 */
export async function linesOf(
  db: Db,
  input: {
    q?: string | undefined;
    group?: number | undefined;
    after?: number | undefined;
    limit?: number | undefined;
  },
): Promise<{ items: TransitLine[]; next: number | null; knownUntil: string | null }> {
  const max = input.limit ?? limits.linesPerPage;
  const words = searchWords(input.q ?? "").slice(0, maxWords);
  const typed = (input.q ?? "").trim().toLowerCase();
  if (typed !== "" && words.length === 0) {
    return { items: [], next: null, knownUntil: await knownUntil(db) };
  }
  const { rows } = await sql<TransitLine & { place: number }>`
    select ${lineColumns}, l.place from transit_line l
    where l.feed_id is not null
      and (${input.group ?? null}::int is null or l.group_id = ${input.group ?? null}::int)
      and l.place > ${input.after ?? 0}
      and (${words.length} = 0 or starts_with(lower(l.number), ${typed})
        or not exists (select from unnest(${words}::text[]) w where
          position(' ' || w in ' ' || l.letters) = 0 and (length(w) < 3
            or word_similarity(w, l.letters) < ${minSimilarity})))
    order by l.place limit ${max + 1}`.execute(db);
  const { items, next } = pageOf(rows, max, ({ place }) => place);
  return {
    items: items.map(({ place: _place, ...line }) => line),
    next,
    knownUntil: await knownUntil(db),
  };
}

/** Line groups that have lines today, by name, each with its lines in their order. */
export async function lineGroupsOf(db: Db): Promise<LineGroup[]> {
  const { rows } = await sql<LineGroup>`
    select g.id, g.name, g.slug, ${badges} as lines from acceptance_group g
      join transit_line l on l.group_id = g.id and l.feed_id is not null
      group by g.id order by g.name, g.id`.execute(db);
  return rows;
}

/** One line group; `not_found` when it has no line. */
export async function lineGroup(db: Db, groupId: number): Promise<LineGroup> {
  const found = await query(db).maybeOne(sql<LineGroup>`
    select g.id, g.name, g.slug, ${badges} as lines from acceptance_group g
      join transit_line l on l.group_id = g.id and l.feed_id is not null
      where g.id = ${groupId} group by g.id`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** One line with its directions. `not_found` when the network no longer has it. */
export async function lineOf(db: Db, id: number): Promise<LineDetail> {
  const found = await query(db).maybeOne(sql<Omit<LineDetail, "directions">>`
    select ${lineColumns}, g.name as group_name from transit_line l
      join acceptance_group g on g.id = l.group_id
      where l.id = ${id} and l.feed_id is not null`);
  if (!found) throw new Problem("not_found");
  const directions = await sql<Omit<LineDirection, "path"> & { path: number[] | null }>`
    select w.direction, w.head as "to", w.path,
      (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'some', ws.share < 50,
          'at', case when s.lat is null then null else jsonb_build_array(s.lat, s.lon) end)
          order by ws.place)
        from transit_direction_stop ws join transit_stop s on s.id = ws.stop_id
        where ws.feed_id = w.feed_id and ws.line_id = w.line_id
          and ws.direction = w.direction) as stops
    from transit_direction w join transit_line l on l.id = w.line_id and l.feed_id = w.feed_id
    where w.line_id = ${id} order by w.direction`.execute(db);
  return {
    ...found,
    directions: directions.rows.map((row) => ({ ...row, path: pairs(row.path) })),
  };
}

function pairs(flat: readonly number[] | null): [number, number][] | null {
  if (!flat) return null;
  return Array.from({ length: flat.length / 2 }, (_, n) => [
    flat[2 * n] as number,
    flat[2 * n + 1] as number,
  ]);
}

/**
 * Stops whose name is similar to `q`, the best first, at most 20; those of a line group alone with `group`.
 * Without `q`, the stops of the group by name. [] without either.
 */
export async function searchStops(
  db: Db,
  { q, group }: { q?: string | undefined; group?: number | undefined },
): Promise<{ items: TransitStop[] }> {
  const own = group === undefined ? null : await stopsOfGroup(db, group);
  const words = searchWords(q ?? "").slice(0, maxWords);
  if (words.length === 0) {
    const visibleStops = q?.trim() ? [] : (own ?? []);
    return { items: await withLines(db, idsOf(visibleStops)) };
  }
  words.sort((a, b) => b.length - a.length);
  const { rows } = await sql<{ id: number }>`
    select id from transit_stops_like(${words}, ${own ? limits.stopsOfGroup : limits.stopsFound})
    `.execute(db);
  const allowed = own && new Set(idsOf(own));
  const ids = idsOf(rows).filter((id) => allowed?.has(id) ?? true);
  return { items: await withLines(db, ids.slice(0, limits.stopsFound)) };
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

/** Stops where one may board a line of the group: public stops by name, at most 1,000. */
export async function stopsOfGroup(
  db: Db,
  groupId: number,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select s.id, s.name from transit_stop s
    where s.feed_id is not null and s.parent_id is null and s.id in (
      select ws.stop_id from transit_direction_stop ws
        join transit_line l on l.id = ws.line_id and l.feed_id = ws.feed_id
        where l.group_id = ${groupId})
    order by s.name, s.id limit ${limits.stopsOfGroup}`.execute(db);
  return rows;
}
