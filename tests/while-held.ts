// Calls that are made while another transaction holds rows: for tests of what a call waits for, and of what changes
// between its first look and its lock.
import type { PoolClient } from "pg";
import { expect } from "vitest";
import type { TestServer } from "./test-server.ts";

type Work = (client: PoolClient) => Promise<unknown>;

/**
 * Makes a call while a transaction holds what `hold` locks or wrote. Once the call waits for it, or is over, `change`
 * runs in that transaction, which commits. Gives the answer, and whether the call had to wait.
 */
export async function whileHeld<Answer>(
  { owner: { pool } }: Pick<TestServer, "owner">,
  hold: Work,
  call: () => Promise<Answer>,
  change?: Work,
): Promise<{ answer: Answer; waited: boolean }> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await hold(client);
    let isOver = false;
    const answered = call().finally(() => (isOver = true));
    let waited = false;
    await expect
      .poll(async () => {
        waited = await isSomebodyWaiting(pool);
        return waited || isOver;
      })
      .toBe(true);
    await change?.(client);
    await client.query("commit");
    return { answer: await answered, waited };
  } finally {
    client.release();
  }
}

async function isSomebodyWaiting(pool: TestServer["owner"]["pool"]): Promise<boolean> {
  const { rows } = await pool.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows.length > 0;
}
