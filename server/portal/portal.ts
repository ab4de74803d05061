// The portal as a whole: the first answer of a dashboard, combined from all rooms, and information about the
// portal: health, settings of the installation, documentation. It has no tables.
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import type { portal } from "#contract/portal/rows.ts";
import { declaredConformity } from "#server/content/content.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { carries } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { overdueSeals } from "#server/ledger/ledger.ts";
import { countMigrations } from "../db/migrate.ts";

export {
  type CompanyHome,
  companyHome,
  companyHomeLimits,
  type CompanyHomePart,
  firstSteps,
  type HolderHome,
  homeBuses,
  homeCanteen,
  homeComing,
  type HomeDayFact,
  homeDayFacts,
  type HomeDays,
  homeStops,
  homeToDos,
  personalToDos,
  type TileFacts,
  tileFacts,
} from "./home-hooks.ts";

/** Version of this portal, from package.json. */
export const version: string = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  }
).version;

type Details = NonNullable<Output<typeof portal.health>["details"]>;

// The code does not change while it runs, so its migrations are counted once.
let migrationCount: Promise<number> | undefined;
const expectedMigrations = (): Promise<number> => (migrationCount ??= countMigrations());

/**
 * All calls share a reading for this long: whatever their number, the database is read four times a second.
 */
const readingMs = 250;
const readings = new WeakMap<Db, { details: Promise<Details>; at: number }>();

/**
 * State of the service: `ok` when the database answers, every migration is applied and the queue advances, as
 * of a quarter of a second ago at most. Never throws: an unreachable database is a state to report, not an
 * error. The row is open to all and must not load the database: calls share readings.
 */
export async function health(deps: Deps): Promise<Output<typeof portal.health>> {
  const details = await detailsOf(deps);
  const { database, migrations, queue } = details;
  const ok = database.ok && migrations.applied >= migrations.expected && queue.ok;
  return {
    version,
    time: deps.now().toISOString(),
    status: ok ? "ok" : "degraded",
    details,
  };
}

async function detailsOf(deps: Deps): Promise<Details> {
  const last = readings.get(deps.db);
  if (last && performance.now() - last.at < readingMs) return await last.details;
  const reading = { details: readDetails(deps), at: Number.POSITIVE_INFINITY };
  readings.set(deps.db, reading);
  // Its age counts from its answer: however long that takes, calls that come meanwhile share it.
  const details = await reading.details;
  reading.at = performance.now();
  return details;
}

async function readDetails(deps: Deps): Promise<Details> {
  const expected = await expectedMigrations();
  const start = performance.now();
  try {
    const { applied, waiting } = await query(deps.db).one(sql<{ applied: number; waiting: number }>`
      select (select count(*) from migration) as applied,
             (select count(*) from graphile_worker.jobs
               where run_at < now() - interval '1 minute' and attempts < max_attempts) as waiting
    `);
    const latencyMs = Math.round((performance.now() - start) * 10) / 10;
    const unsealed = await overdueSeals(deps);
    return {
      database: { ok: true, latencyMs },
      migrations: { applied, expected },
      queue: { ok: waiting < 1000, waiting },
      history: { ok: unsealed === 0, unsealed },
    };
  } catch {
    return {
      database: { ok: false, latencyMs: null },
      migrations: { applied: 0, expected },
      queue: { ok: false, waiting: 0 },
      history: { ok: false, unsealed: 0 },
    };
  }
}

/** The features that this installation switches on or off (spec.md 20). */
export async function settings({ db, config }: Deps): Promise<Output<typeof portal.settings>> {
  return {
    version,
    demo: config.demo,
    payments: config.payments,
    email: carries(config, "email"),
    sms: carries(config, "sms"),
    supportPhone: config.supportPhone,
    codeFromCents: config.codeFromCents,
    map: config.map,
    accessibility: await declaredConformity(db),
  };
}
