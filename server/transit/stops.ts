// Stops with the lines that serve them.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { TransitStop } from "#contract/transit/rows.ts";
import type { Db } from "#server/db/db.ts";

/** JSON of the badges of a set of `transit_line l`, in their order. */
export const badges = sql`coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'number', l.number,
  'color', '#' || l.color, 'textColor', '#' || l.text_color) order by l.place), '[]')`;

/** One stop of the network with the lines that serve it; `not_found` when it is there no more. */
export async function stopOf(db: Db, id: number): Promise<TransitStop> {
  const [stop] = await withLines(db, [id]);
  if (!stop) throw new Problem("not_found");
  return stop;
}

/** Public stops of the network by id, in the order of `ids`, with their lines. */
export async function withLines(db: Db, ids: readonly number[]): Promise<TransitStop[]> {
  const { rows } = await sql<TransitStop>`
    select s.id, s.name, (select ${badges} from transit_line l where l.feed_id is not null
        and l.id in (select ws.line_id from transit_direction_stop ws
          where ws.stop_id = s.id and ws.feed_id = s.feed_id)) as lines
    from unnest(${ids}::int[]) with ordinality as asked (id, n)
      join transit_stop s on s.id = asked.id
    where s.feed_id is not null and s.parent_id is null order by n`.execute(db);
  return rows;
}
