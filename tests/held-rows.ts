// Rows that a transaction of the test holds, and calls that are seen to wait for them.
import { expect } from "vitest";
import type { TestServer } from "./test-server.ts";

type Held = Pick<TestServer, "owner">;

export interface HeldRows {
  /** A statement in the transaction that holds them. */
  query(text: string, values?: unknown[]): Promise<{ rows: any[] }>;
  /** Whether a statement waits for that transaction. */
  isAwaited(): Promise<boolean>;
  /** Commits. */
  release(): Promise<void>;
}

/** Holds the rows that a statement locks, in a transaction of its own until they are released. */
export async function holdRows(
  { owner }: Held,
  query: string,
  values: unknown[],
): Promise<HeldRows> {
  const client = await owner.pool.connect();
  await client.query("begin");
  const { rows } = await client.query("select pg_backend_pid() as pid");
  await client.query(query, values);
  const blocked = "select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))";
  return {
    query: (text, given) => client.query(text, given),
    isAwaited: async () => (await owner.pool.query(blocked, [rows[0].pid])).rows.length > 0,
    release: async () => {
      await client.query("commit");
      client.release();
    },
  };
}

/** Until so many statements wait for a lock. */
export const waitingForLocks = ({ owner }: Held, count: number) =>
  expect
    .poll(
      async () =>
        (
          await owner.pool.query<{ n: number }>(
            "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          )
        ).rows[0]?.n,
      { timeout: 10_000, interval: 5 },
    )
    .toBe(count);
