// Metrics in Prometheus's format: the requests of this process by row and status, its pool and its event
// loop; and, shared by all processes, the queue, the ledger, and open items that wait for a person.
import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import type { Pool } from "pg";
import type { Gauge, Histogram, Registry } from "prom-client";
import { Problem } from "#contract/errors.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Document } from "./document.ts";
import { isLoopback } from "./site.ts";

interface Measures {
  registry: Registry;
  requests: Histogram<"method" | "route" | "status">;
  connections: Gauge<"state">;
  shared: Shared;
}

type Shared = Readonly<Record<keyof typeof sharedGauges, Gauge>>;

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Gauges read in the database at each scrape: every process that shares it reports the same. */
const sharedGauges = {
  database_up: "1 when the database answered this reading",
  queue_waiting_jobs: "Jobs that are due and not taken",
  queue_failed_jobs: "Jobs that were given up after all their tries",
  outbox_waiting_messages: "Messages that have not left",
  ledger_last_transfer_id: "The newest row of the journal: its growth is the rate of postings",
  scheme_balance_cents: "Balance of the scheme's own accounts, in cents",
  top_ups_waiting: "Top-ups without an end, by state",
  history_unsealed_rows:
    "Rows of the audit trail and the journal that wait too long for their seal",
  payment_events_parked: "News of providers that wait for a person",
} as const;

// One for each pool, that is for each server: tests run several in one process.
const measured = new WeakMap<Pool, Promise<Measures>>();
const ready = new WeakMap<Pool, Measures>();

/** Loaded so long after a start, or at the first scrape: no start waits for the library. */
const loadAfterMs = 1000;

/** Counts the requests of `app` from a second after it listens. */
export function measure(app: FastifyInstance, deps: Deps): void {
  let loading: NodeJS.Timeout | undefined;
  app.addHook("onListen", (done) => {
    loading = setTimeout(() => void measuresOf(deps), loadAfterMs).unref();
    done();
  });
  app.addHook("onClose", (_app, done) => {
    clearTimeout(loading);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    observe(ready.get(deps.pool), request, reply);
    done();
  });
}

function observe(measures: Measures | undefined, request: FastifyRequest, reply: FastifyReply) {
  // A stream lasts as long as somebody watches: its duration says nothing of our speed.
  const type = reply.raw.getHeader("content-type");
  if (!measures || String(type).startsWith("text/event-stream")) return;
  // The row's path, not the address: that would make a series for each card number.
  const route = request.routeOptions.url ?? "none";
  measures.requests
    .labels(request.method, route, String(reply.statusCode))
    .observe(reply.elapsedTime / 1000);
}

/** A row for machines: for everyone else it is not found. */
export function admitMachine(deps: Deps, request: FastifyRequest): void {
  if (!isMachine(deps, request)) throw new Problem("not_found");
}

/** Whether the caller is a program of this machine, or bears METRICS_TOKEN. */
export function isMachine({ config }: Deps, request: FastifyRequest): boolean {
  const bearer = /^Bearer ([\x21-\x7e]{1,200})$/.exec(request.headers.authorization ?? "")?.[1];
  if (config.metricsToken && bearer && same(bearer, config.metricsToken)) return true;
  return isLoopback(config, request);
}

const digest = (text: string) => createHash("sha256").update(text).digest();
const same = (actual: string, expected: string) =>
  timingSafeEqual(digest(actual), digest(expected));

/** All metrics in Prometheus's format; an unreachable database is one of them. */
export async function metrics(
  deps: Deps,
  unsealed: (deps: Deps) => Promise<number>,
): Promise<Document> {
  const { registry, shared, connections } = await measuresOf(deps);
  const { totalCount, idleCount, waitingCount } = deps.pool;
  connections.set({ state: "open" }, totalCount);
  connections.set({ state: "lent" }, totalCount - idleCount);
  connections.set({ state: "waited_for" }, waitingCount);
  shared.top_ups_waiting.reset();
  try {
    await readShared(deps, shared);
    shared.history_unsealed_rows.set(await unsealed(deps));
    shared.database_up.set(1);
  } catch {
    shared.database_up.set(0);
  }
  return { type: registry.contentType, body: await registry.metrics() };
}

async function readShared({ db }: Deps, shared: Shared): Promise<void> {
  const { jobs, failed, messages, last, parked } = await query(db).one(sql<
    Record<"jobs" | "failed" | "messages" | "last" | "parked", number>
  >`
    select
      (select count(*) from graphile_worker.jobs
        where run_at <= now() and locked_at is null and attempts < max_attempts) as jobs,
      (select count(*) from graphile_worker.jobs where attempts >= max_attempts) as failed,
      (select count(*) from outbox where sent_at is null and abandoned_at is null) as messages,
      (select coalesce(max(id), 0) from transfer) as last,
      (select count(*) from payment_event where outcome = 'parked') as parked`);
  shared.queue_waiting_jobs.set(jobs);
  shared.queue_failed_jobs.set(failed);
  shared.outbox_waiting_messages.set(messages);
  shared.ledger_last_transfer_id.set(last);
  shared.payment_events_parked.set(parked);
  const accounts = await sql<{ name: string; balance: number }>`
    select s.name, a.balance from scheme_account s
      join ledger_account a on a.id = s.account_id`.execute(db);
  for (const { name, balance } of accounts.rows) {
    shared.scheme_balance_cents.set({ account: name }, balance);
  }
  const waiting = await db
    .selectFrom("topUp")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .where("state", "in", ["initiated", "authorized", "review"])
    .groupBy("state")
    .execute();
  for (const { state, count } of waiting) shared.top_ups_waiting.set({ state }, count);
}

function measuresOf(deps: Deps): Promise<Measures> {
  const known = measured.get(deps.pool) ?? open(deps.pool);
  measured.set(deps.pool, known);
  return known;
}

async function open(pool: Pool): Promise<Measures> {
  const prometheus = await import("prom-client");
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new prometheus.Histogram({
    name: "macarte_http_request_duration_seconds",
    help: "Requests by row of the contract and status",
    labelNames: ["method", "route", "status"] as const,
    buckets,
    registers,
  });
  const connections = new prometheus.Gauge({
    name: "macarte_database_connections",
    help: "Connections of this process's pool: open, lent, and requests that wait for one",
    labelNames: ["state"] as const,
    registers,
  });
  const labels: Partial<Record<keyof typeof sharedGauges, string>> = {
    scheme_balance_cents: "account",
    top_ups_waiting: "state",
  };
  const shared = Object.fromEntries(
    Object.entries(sharedGauges).map(([name, help]) => {
      const label = labels[name as keyof typeof sharedGauges];
      const labelNames = label ? [label] : [];
      return [name, new prometheus.Gauge({ name: `macarte_${name}`, help, labelNames, registers })];
    }),
  ) as Shared;
  const measures = { registry, requests, connections, shared };
  ready.set(pool, measures);
  return measures;
}
