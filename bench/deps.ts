// What a room needs of a server, for campaigns that call it without one: nothing is sent, nothing queued.
import { pino } from "pino";
import { openDb } from "#server/db/db.ts";
import { loadConfig } from "#server/process/config.ts";
import type { Deps } from "#server/process/deps.ts";

/** Over a database that is migrated; `close` ends its connections. */
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
