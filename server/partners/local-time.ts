// The time of Paris that opening hours are read by.
import { sql } from "kysely";
import type { Db } from "#server/db/db.ts";
import type { Local } from "./opening.ts";

/** The wall clock of Paris, by the database that also filters by it. */
export async function localOf(db: Db, now: Date): Promise<Local> {
  const { rows } = await sql<Local>`
    select to_char(t, 'YYYY-MM-DD') as day, to_char(t, 'HH24:MI') as time,
      extract(isodow from t)::int as weekday
    from (select ${now}::timestamptz at time zone 'Europe/Paris' as t) local`.execute(db);
  return rows[0] as Local;
}
