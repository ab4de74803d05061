// The portal about itself: its health, what the configuration switches on, its documentation.
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import type { portal } from "#contract/portal/rows.ts";
import { declaredConformity } from "#server/content/content.ts";
import { carries } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { overdueSeals } from "#server/seals/seals.ts";
import { readMigrations } from "../db/migrate.ts";

/** Version of this portal, from package.json. */
export const version: string = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  }
).version;

/**
 * State of the service: `ok` when the database answers, every migration is applied and the queue
 * moves. Never throws: a database out of reach is a state to report, not an error.
 */
export async function health(deps: Deps): Promise<Output<typeof portal.health>> {
  const expected = (await readMigrations()).length;
  const base = { version, time: deps.now().toISOString() };
  const start = performance.now();
  try {
    const { rows } = await sql<{ applied: number; waiting: number }>`
      select (select count(*) from migration) as applied,
             (select count(*) from graphile_worker.jobs
               where run_at < now() - interval '1 minute' and attempts < max_attempts) as waiting
    `.execute(deps.db);
    const { applied, waiting } = rows[0] ?? { applied: 0, waiting: 0 };
    const latencyMs = Math.round((performance.now() - start) * 10) / 10;
    const unsealed = await overdueSeals(deps);
    const ok = applied >= expected && waiting < 1000;
    return {
      ...base,
      status: ok ? "ok" : "degraded",
      details: {
        database: { ok: true, latencyMs },
        migrations: { applied, expected },
        queue: { ok: waiting < 1000, waiting },
        history: { ok: unsealed === 0, unsealed },
      },
    };
  } catch {
    return {
      ...base,
      status: "degraded",
      details: {
        database: { ok: false, latencyMs: null },
        migrations: { applied: 0, expected },
        queue: { ok: false, waiting: 0 },
        history: { ok: false, unsealed: 0 },
      },
    };
  }
}

/** What this installation switches on or off (spec.md 20). */
export async function settings({ db, config }: Deps): Promise<Output<typeof portal.settings>> {
  return {
    version,
    demo: config.demo,
    payments: config.payments,
    email: carries(config, "email"),
    sms: carries(config, "sms"),
    supportPhone: config.supportPhone,
    codeFromCents: config.codeFromCents,
    accessibility: await declaredConformity(db),
  };
}
