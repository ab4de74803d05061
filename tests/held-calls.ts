// A call that meets a lock, and what changes before it goes on.
import { setImmediate } from "node:timers/promises";
import type { Pool } from "pg";
import type { Answered } from "./test-server.ts";

interface Held {
  /** Takes the locks that the call shall wait for. */
  hold: string;
  /** What happens while it waits; the locks end with it. */
  meanwhile: string;
}

const waiting = `select from pg_stat_activity where datname = current_database()
  and wait_event_type = 'Lock' and application_name = 'ma-carte'`;

/** Makes a call while locks are held; whether it waited for them, after which `meanwhile` was done, and its answer. */
export async function callWhileHeld(
  pool: Pool,
  { hold, meanwhile }: Held,
  make: () => Promise<Answered>,
): Promise<{ waited: boolean; answer: Answered }> {
  const holder = await pool.connect();
  try {
    await holder.query(`begin; ${hold}`);
    const answered: Answered[] = [];
    const calling = make().then((answer) => answered.push(answer));
    let waited = false;
    while (answered.length === 0 && !waited) {
      await Promise.race([calling, setImmediate()]);
      waited = ((await pool.query(waiting)).rowCount ?? 0) > 0;
    }
    await holder.query(waited ? `${meanwhile}; commit` : "rollback");
    await calling;
    return { waited, answer: answered[0] as Answered };
  } finally {
    holder.release();
  }
}
