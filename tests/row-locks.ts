// Calls that race: rows locked in a transaction of the test's own until the calls that need them wait, and
// what changes between a call's first read and its lock.
import { expect, onTestFinished } from "vitest";
import type { TestServer } from "./test-server.ts";

type Database = Pick<TestServer, "owner">;

/** A statement of a transaction, or of a pool. */
export interface Queries {
  query: (text: string, values?: unknown[]) => Promise<{ rows: any[] }>;
}

/** Rows locked by a transaction, in which more statements can be run. */
export interface HeldRows extends Queries {
  /** Whether a call comes to wait for that transaction; false when it is answered without waiting. */
  isAwaitedBy: (call: Promise<unknown>) => Promise<boolean>;
  /** Commits; the end of the test does so at the latest. */
  release: () => Promise<void>;
}

async function openTransaction({ owner }: Database): Promise<HeldRows> {
  const client = await owner.pool.connect();
  await client.query("begin");
  const { rows } = await client.query("select pg_backend_pid() as pid");
  let isOpen = true;
  const release = async () => {
    if (!isOpen) return;
    isOpen = false;
    await client.query("commit");
    client.release();
  };
  onTestFinished(release);
  const blocked = "select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))";
  return {
    query: (text, values) => client.query(text, values),
    isAwaitedBy: async (call) => {
      let isOver = false;
      const over = () => (isOver = true);
      void call.then(over, over);
      const waitsOrIsOver = async () =>
        isOver || (await owner.pool.query(blocked, [rows[0].pid])).rows.length > 0;
      await expect.poll(waitsOrIsOver, { timeout: 10_000, interval: 5 }).toBe(true);
      return !isOver;
    },
    release,
  };
}

/** Holds the rows that a statement locks, in a transaction of its own. */
export async function holdRows(
  server: Database,
  statement: string,
  values: unknown[] = [],
): Promise<HeldRows> {
  const held = await openTransaction(server);
  await held.query(statement, values);
  return held;
}

/**
 * Makes a call while a transaction holds what `hold` locks or wrote. Once the call waits for it, or is over, `change`
 * runs in that transaction, which commits. Gives the answer, and whether the call had to wait.
 */
export async function whileHeld<Answer>(
  server: Database,
  hold: (held: Queries) => Promise<unknown>,
  call: () => Promise<Answer>,
  change?: (held: Queries) => Promise<unknown>,
): Promise<{ answer: Answer; waited: boolean }> {
  const held = await openTransaction(server);
  await hold(held);
  const answering = call();
  const waited = await held.isAwaitedBy(answering);
  await change?.(held);
  await held.release();
  return { answer: await answering, waited };
}

/** How many statements wait for a lock. */
export async function waitingCount({ owner }: Database): Promise<number> {
  const { rows } = await owner.pool.query<{ n: number }>(
    "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows[0]?.n ?? 0;
}

/** Until so many statements wait for a lock. */
export const untilWaiting = (server: Database, count: number): Promise<void> =>
  expect.poll(() => waitingCount(server), { timeout: 10_000, interval: 5 }).toBe(count);
