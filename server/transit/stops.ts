// Stops with the lines that serve them.
import { sql } from "kysely";
import type { TransitStop } from "#contract/transit/rows.ts";
import type { Db } from "#server/db/db.ts";

/** JSON of the badge of `transit_line l`. */
export const badge = sql`jsonb_build_object('id', l.id, 'number', l.number,
  'color', '#' || l.color, 'textColor', '#' || l.text_color)`;

/** JSON of the badges of a set of `transit_line l`, in their order. */
export const badges = sql`coalesce(jsonb_agg(${badge} order by l.place), '[]')`;

/** JSON of the badges of the lines that serve `transit_stop s`. */
export const badgesOfStop = sql`(select ${badges} from transit_line l where l.feed_id is not null
  and l.id in (select ws.line_id from transit_direction_stop ws
    where ws.stop_id = s.id and ws.feed_id = s.feed_id))`;

/** Public stops of the network by id, in the order of `ids`, with their lines. */
export async function withLines(db: Db, ids: readonly number[]): Promise<TransitStop[]> {
  const { rows } = await sql<TransitStop>`
    select s.id, s.name, ${badgesOfStop} as lines
    from unnest(${ids}::int[]) with ordinality as requested (id, n)
      join transit_stop s on s.id = requested.id
    where s.feed_id is not null and s.parent_id is null order by n`.execute(db);
  return rows;
}
