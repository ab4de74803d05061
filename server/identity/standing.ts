// The session of a call with its person and card, as they are now: what every call begins with.
import type pg from "pg";
import { batched } from "#server/db/batch.ts";
import type { Standing } from "#server/http/caller.ts";

// A card that was issued and has not been replaced: its number logs in even when it may not spend,
// until the replacement is active (decision 22).
export const current = "('active', 'suspended', 'opposed', 'damaged', 'expired')";

/** The number of a person's card: the one in use, else the last that was. */
export const currentCard = (personId: string) => `(
  select c.number from card c where c.person_id = ${personId} and c.state in ${current}
  order by c.state in ('active', 'suspended') desc, c.activated_at desc nulls last, c.number desc
  limit 1)`;

/** Columns of a standing, from a session `s` and its person `p`: for reads that take it along. */
export const standingColumns = `
  s.id as session_id, s.binding, s.ends_at, s.ended_at,
  greatest(s.seen_at, s.renewed_at) as seen_at, p.id as person_id, p.object_id, p.type, p.name,
  p.must_reset, p.disabled_at, coalesce(${currentCard("p.id")}, s.cardnumber) as cardnumber`;

// Prepared once a connection, it costs half of what it would.
const ofOne = {
  name: "standing",
  text: `select ${standingColumns}
    from session s join person p on p.id = s.person_id where s.id = $1`,
};
const ofMany = {
  name: "standings",
  text: `select ${standingColumns}
    from session s join person p on p.id = s.person_id where s.id = any ($1::uuid[])`,
};

type Read = (sessionId: string) => Promise<Standing | undefined>;
const readers = new WeakMap<pg.Pool, Read>();

/** How a session stands now, undefined when there is none; asked together by calls of one moment. */
export function standing(pool: pg.Pool, sessionId: string): Promise<Standing | undefined> {
  let read = readers.get(pool);
  if (!read) readers.set(pool, (read = reader(pool)));
  return read(sessionId);
}

const reader = (pool: pg.Pool): Read =>
  batched<string, Standing | undefined>({
    one: async (id) => (await pool.query<Standing>({ ...ofOne, values: [id] })).rows[0],
    many: async (ids) => {
      const { rows } = await pool.query<Standing>({ ...ofMany, values: [[...new Set(ids)]] });
      const found = new Map(rows.map((row) => [row.session_id, row]));
      return ids.map((id) => ({ status: "fulfilled", value: found.get(id) }));
    },
  });
