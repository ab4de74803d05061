// Reads from a replica, only once it has all that its reader could have seen before: nobody misses a payment
// that they just made. In doubt, the primary answers.
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Db } from "./db.ts";
import { query } from "./query.ts";

/** How long a read waits for the replica to catch up, and how long a failed replica is not used. */
const waitMs = 50;
const askAgainMs = 5;
const restMs = 5_000;

const restingUntil = new WeakMap<Db, number>();

/**
 * Runs `work`, which must only read and decide nothing about money, on the configured replica if there is
 * one, it is up, and not behind the primary as it is now; else on the primary. `work` may run twice.
 */
export async function reading<T>(
  { db, replica, log }: Pick<Deps, "db" | "replica" | "log">,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  if (!replica || performance.now() < (restingUntil.get(replica) ?? 0)) return await work(db);
  // The present end of the log: beyond every commit that any client was answered, flushed or not.
  const { lsn } = await query(db).one(sql<{ lsn: string }>`
    select pg_current_wal_insert_lsn()::text as lsn`);
  try {
    const late = sleep(waitMs).then(() => false);
    if (await Promise.race([hasReached(replica, lsn), late])) {
      return await work(replica);
    }
  } catch (error) {
    // A refusal is an answer, the same on both.
    if (error instanceof Problem) throw error;
    restingUntil.set(replica, performance.now() + restMs);
    log.warn({ err: error }, "the replica did not answer: the primary reads for a while");
  }
  return await work(db);
}

async function hasReached(replica: Db, lsn: string): Promise<boolean> {
  const startedAt = performance.now();
  do {
    const { reached } = await query(replica).one(sql<{ reached: boolean | null }>`
      select pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as reached`);
    if (reached) return true;
    await sleep(askAgainMs);
  } while (performance.now() - startedAt < waitMs);
  return false;
}
