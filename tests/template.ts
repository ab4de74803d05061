// One PostgreSQL for a run, and in it a template database, migrated once and filled with the cast, that
// is cloned by whoever needs a database. The cluster lives under .tmp/ and goes at the end; one left by
// a run that was killed goes at the start of the next.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { oneQuery } from "#server/db/one-query.ts";
import { isPostmasterOf, readPidFile } from "#server/db/postgres-process.ts";
import { castInto } from "./cast.ts";

/** The run's cluster (its `postgres` database) and the name of the template to clone. */
export interface Cluster {
  url: string;
  template: string;
}

const root = join(import.meta.dirname, "..");
const tmp = join(root, ".tmp");
const template = "template_ma_carte";

/** Starts the cluster and makes its template; `stop` removes both. */
export async function startCluster(): Promise<Cluster & { stop: () => Promise<void> }> {
  await sweep();
  // A test file that wants a cluster of its own is a thread of the run.
  const dataDir = join(tmp, `cluster-${process.pid}-${threadId}`);
  const embedded = await startEmbedded({
    dataDir,
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      autovacuum_naptime: "10min",
      max_connections: "400",
    },
    initdbArguments: ["--no-sync"],
  });
  const stop = async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await makeTemplate(embedded.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: named(embedded.url, "postgres"), template, stop };
}

async function makeTemplate(url: string): Promise<void> {
  await oneQuery(named(url, "postgres"), `create database ${template}`);
  await migrate(named(url, template));
  await castInto(named(url, template));
  await oneQuery(
    named(url, "postgres"),
    `alter database ${template} with is_template true allow_connections false`,
  );
}

function named(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function sweep(): Promise<void> {
  const names = await readdir(tmp).catch(() => []);
  for (const name of names) {
    const owner = Number(/^cluster-(\d+)(-\d+)?$/.exec(name)?.[1]);
    if (!owner || isAlive(owner)) continue;
    const folder = join(tmp, name, "postgres");
    const file = await readPidFile(folder);
    if (file && (await isPostmasterOf(folder, file.pid))) process.kill(file.pid, "SIGQUIT");
    const gone = rm(join(tmp, name), { recursive: true, force: true, maxRetries: 5 });
    // Another run that starts now removes it too: whoever is second finds it half gone.
    await gone.catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
