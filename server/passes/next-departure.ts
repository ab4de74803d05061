// The next bus for a person's pass: from the stop chosen with it, on the lines that it covers.
import { sql } from "kysely";
import type { LineBadge } from "#contract/transit/rows.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { nextDepartureOf } from "#server/transit/transit.ts";
import { stateAt } from "./pass-rows.ts";

interface CurrentPass {
  holderId: number;
  holder: string;
  until: Date;
  group: number;
  stop: number | null;
}

export interface RidingPass extends Pick<CurrentPass, "holderId" | "holder" | "until"> {
  /** Null for a pass without a stop, or from one that is no longer in the network. */
  next: { line: LineBadge; at: Date; onRequest: boolean } | null;
}

/** A pass that is valid now, of the first of these persons who has one; one with a stop before others. */
export async function ridingPassOf(
  db: Db,
  people: readonly number[],
  at: Date,
): Promise<RidingPass | null> {
  const pass = await query(db).maybeOne(sql<CurrentPass>`
    select p.holder_id, h.name as holder, p.valid_until as until,
      f.group_id as "group", p.stop_id::int as stop
    from pass p join fare_product f on f.id = p.product_id join person h on h.id = p.holder_id
    where p.holder_id = any(${people}::bigint[]) and ${stateAt(at)} = 'active'
    order by array_position(${people}::bigint[], p.holder_id), p.stop_id is null, p.valid_until desc,
      p.id limit 1`);
  if (!pass) return null;
  const { stop, group, ...riding } = pass;
  return { ...riding, next: stop === null ? null : await nextDepartureOf(db, at, { stop, group }) };
}
