// Passes with their next bus, from the stop chosen with the pass, on the lines that it covers: on the service tile,
// and on the home page of a family.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import type { Boarding } from "#contract/portal/family-day.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { HolderHome, TileFacts } from "#server/portal/portal.ts";
import { boardingsOf, nextDepartureOf } from "#server/transit/transit.ts";
import { stateAt } from "./pass-rows.ts";

interface CurrentPass {
  holderId: number;
  holder: string;
  until: Date;
  group: number;
  stop: number | null;
}

/**
 * A pass that is valid now, of the first of these persons who has one; one with a stop before others. It has
 * no next bus without a stop, or from one that is no longer in the network.
 */
export async function ridingFacts(
  db: Db,
  { holder, people, at }: HolderHome,
): Promise<Pick<TileFacts, "pass">> {
  const pass = await query(db).maybeOne(sql<CurrentPass>`
    select p.holder_id, h.name as holder, p.valid_until as until,
      f.group_id as "group", p.stop_id::int as stop
    from pass p join fare_product f on f.id = p.product_id join person h on h.id = p.holder_id
    where p.holder_id = any(${people}::bigint[]) and ${stateAt(at)} = 'active'
    order by array_position(${people}::bigint[], p.holder_id), p.stop_id is null, p.valid_until desc,
      p.id limit 1`);
  if (!pass) return { pass: null };
  const { stop, group, until } = pass;
  const next = stop === null ? null : await nextDepartureOf(db, at, { stop, group });
  return {
    pass: {
      holder: pass.holderId === holder ? null : pass.holder,
      lastOn: parisDay(new Date(until.getTime() - 1)),
      next: next && { ...next, line: next.line.number, at: next.at.toISOString() },
    },
  };
}

/**
 * The next bus of each person who has a pass with a stop that is valid at `from`, by their ids: the departures from
 * then to the end of the day in Paris. Of several lines and passes, the one that leaves first.
 */
export async function busesOfDay(
  db: Db,
  { people }: HolderHome,
  from: Date,
): Promise<Map<number, Boarding>> {
  const riders = sql`
    select p.holder_id as person_id, p.stop_id::int as stop_id, f.group_id
    from pass p join fare_product f on f.id = p.product_id
    where p.holder_id = any(${people}::bigint[]) and p.stop_id is not null
      and ${stateAt(from)} = 'active'`;
  const day = parisDay(from);
  const boardings = await boardingsOf(db, from, riders);
  return new Map(
    boardings.flatMap(({ personId, line, to, stop, next }): [number, Boarding][] => {
      const today = next.filter(({ at }) => parisDay(new Date(at)) === day);
      return today.length === 0 ? [] : [[personId, { line, to, stop, next: today }]];
    }),
  );
}
