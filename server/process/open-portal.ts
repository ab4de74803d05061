// The portal on a running database: its keys, its demo scheme, its routes and its jobs. Separate from run.ts
// so that all rooms are loaded while the database starts.
import type { FastifyInstance } from "fastify";
import { demoCards, fillDemo, requireNoDemoAccounts } from "#server/demo/demo.ts";
import { openRootKeys } from "#server/identity/identity.ts";
import { makeSend } from "#server/notifications/notifications.ts";
import { buildApp } from "./app.ts";
import type { Deps } from "./deps.ts";
import { makeEnqueue, startJobs } from "./jobs.ts";

interface OpenPortal {
  app: FastifyInstance;
  /** Called once it listens: no answer waits for jobs. */
  startJobs: () => ReturnType<typeof startJobs>;
  /** The cards of the demo scheme, as printed at the start. */
  demoCards: string;
}

/**
 * Opens the portal, its routes while the database is still `migrating`; the caller listens, starts the jobs
 * and stops them at the end.
 */
export async function openPortal(
  resources: Pick<Deps, "db" | "pool" | "replica" | "config" | "log">,
  { migrating, stopping }: { migrating: Promise<void>; stopping: AbortSignal },
): Promise<OpenPortal> {
  const enqueue = makeEnqueue();
  const now = () => new Date();
  const deps: Deps = { ...resources, now, enqueue, send: makeSend({ enqueue, now }) };
  const [app] = await Promise.all([buildApp(deps), migrating.then(() => openScheme(deps))]);
  stopping.throwIfAborted();
  return { app, startJobs: () => startJobs(deps), demoCards };
}

async function openScheme(deps: Deps): Promise<void> {
  const { db, config } = deps;
  await openRootKeys(db, config);
  if (config.demo) await sayWhenLong("Création des données de démonstration…", fillDemo(deps));
  else await requireNoDemoAccounts(db);
}

async function sayWhenLong(sentence: string, work: Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => process.stdout.write(`${sentence}\n`), 2000);
  await work.finally(() => clearTimeout(timer));
}
