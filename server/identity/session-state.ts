// Reads a session with its person, present card and company, at the beginning of every call.
import type pg from "pg";
import { createBatcherPerOwner } from "#server/db/batch.ts";
import type { SessionState } from "#server/http/caller.ts";

/** Columns of a session's state, from a session `s` and its person `p`: for reads that include it. */
export const sessionStateColumns = `
  s.id as session_id, s.binding, s.ends_at, s.ended_at, s.ended_why,
  greatest(s.seen_at, s.renewed_at) as seen_at, p.id as person_id, p.object_id, p.type, p.name,
  p.must_reset, p.disabled_at,
  coalesce((select number from current_card(p.id)), s.cardnumber) as cardnumber,
  case when p.type = 2 then (
    select json_build_object('companyId', c.id, 'name', c.name, 'roles', m.roles)
    from company_member m join company c on c.id = m.company_id where m.person_id = p.id
  ) end as company`;

// Prepared once per connection, it costs half. Each session is looked up by its key (`offset 0`), however few
// there were when the plan was made.
const query = {
  name: "session-states",
  text: `select ${sessionStateColumns}
    from unnest((select $1::uuid[])) q (id)
    cross join lateral (select * from session where id = q.id offset 0) s
    cross join lateral (select * from person where id = s.person_id offset 0) p`,
};

async function statesOf(
  pool: pg.Pool,
  ids: readonly string[],
): Promise<(SessionState | undefined)[]> {
  const { rows } = await pool.query<SessionState>({ ...query, values: [[...new Set(ids)]] });
  const found = new Map(rows.map((row) => [row.session_id, row]));
  return ids.map((id) => found.get(id));
}

/** The state of a session, undefined when there is none; concurrent calls share one statement. */
export const readSessionState = createBatcherPerOwner<pg.Pool, string, SessionState | undefined>(
  (pool) => ({
    one: async (id) => (await statesOf(pool, [id]))[0],
    many: async (ids) =>
      (await statesOf(pool, ids)).map((value) => ({ status: "fulfilled", value })),
    minBatch: 1,
  }),
);
