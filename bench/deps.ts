// Dependencies of a room without a server, for benchmarks: messages are not sent and jobs are not queued.
import { pino } from "pino";
import { openDb } from "#server/db/db.ts";
import { loadConfig } from "#server/process/config.ts";
import type { Deps } from "#server/process/deps.ts";

/** For a migrated database; `close` ends its connections. */
export function openDeps(url: string): { deps: Deps; close: () => Promise<void> } {
  const { db, pool, close } = openDb(url, { max: 16 });
  const deps: Deps = {
    db,
    pool,
    now: () => new Date(),
    send: async () => {},
    enqueue: async () => {},
    config: loadConfig({ DATABASE_URL: url, PAYMENTS: "sandbox" }),
    log: pino({ level: "silent" }),
  };
  return { deps, close };
}
