// The portal on a database that is there: its keys, its demo scheme, its routes and its jobs. Apart from
// run.ts so that all rooms are read while the database starts.
import type { FastifyInstance } from "fastify";
import { demoCards, fillDemo, requireNoDemoAccounts } from "#server/demo/demo.ts";
import { openRootKeys } from "#server/identity/identity.ts";
import { makeSend } from "#server/notifications/notifications.ts";
import { buildApp } from "./app.ts";
import type { Deps } from "./deps.ts";
import { makeEnqueue, startJobs } from "./jobs.ts";

interface OpenPortal {
  app: FastifyInstance;
  /** For when it listens: no answer waits for them. */
  startJobs: () => ReturnType<typeof startJobs>;
  /** What the demo scheme says of its cards. */
  demoCards: string;
}

/**
 * Opens the portal, its routes while the database is still `migrating`; the caller listens, starts the jobs
 * and stops them in the end.
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
