// Reads the state of a session with its person and current card, at the beginning of every call.
import type pg from "pg";
import { batchedFor } from "#server/db/batch.ts";
import type { SessionState } from "#server/http/caller.ts";

/** Columns of a session's state, from a session `s` and its person `p`: for reads that take it along. */
export const sessionStateColumns = `
  s.id as session_id, s.binding, s.ends_at, s.ended_at,
  greatest(s.seen_at, s.renewed_at) as seen_at, p.id as person_id, p.object_id, p.type, p.name,
  p.must_reset, p.disabled_at,
  coalesce((select number from current_card(p.id)), s.cardnumber) as cardnumber`;

// Prepared once a connection, it costs half of what it would.
const ofOne = {
  name: "session-state",
  text: `select ${sessionStateColumns}
    from session s join person p on p.id = s.person_id where s.id = $1`,
};
const ofMany = {
  name: "session-states",
  text: `select ${sessionStateColumns}
    from session s join person p on p.id = s.person_id where s.id = any ($1::uuid[])`,
};

/** The state of a session, undefined when there is none; concurrent calls share one statement. */
export const readSessionState = batchedFor<pg.Pool, string, SessionState | undefined>((pool) => ({
  one: async (id) => (await pool.query<SessionState>({ ...ofOne, values: [id] })).rows[0],
  many: async (ids) => {
    const { rows } = await pool.query<SessionState>({ ...ofMany, values: [[...new Set(ids)]] });
    const found = new Map(rows.map((row) => [row.session_id, row]));
    return ids.map((id) => ({ status: "fulfilled", value: found.get(id) }));
  },
}));
