// Calls that meet: rows held in a transaction of the test's own until the calls that need them wait.
import { expect, onTestFinished } from "vitest";
import type { TestServer } from "./test-server.ts";

type Database = Pick<TestServer, "owner">;

export interface HeldRows {
  /** A statement in the transaction that holds them. */
  query: (text: string, values?: unknown[]) => Promise<{ rows: any[] }>;
  /** Whether a statement waits for that transaction. */
  isAwaited: () => Promise<boolean>;
  /** Commits; the end of the test does so at the latest. */
  release: () => Promise<void>;
}

/** Holds the rows that a statement locks, in a transaction of its own. */
export async function holdRows(
  { owner }: Database,
  statement: string,
  values: readonly unknown[],
): Promise<HeldRows> {
  const client = await owner.pool.connect();
  await client.query("begin");
  const { rows } = await client.query("select pg_backend_pid() as pid");
  await client.query(statement, [...values]);
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query("commit");
    client.release();
  };
  onTestFinished(release);
  const blocked = "select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))";
  return {
    query: (text, given) => client.query(text, given),
    isAwaited: async () => (await owner.pool.query(blocked, [rows[0].pid])).rows.length > 0,
    release,
  };
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
