// A database of one's own for a test file: a clone of the run's template, in about 0.1 s.
import { randomBytes } from "node:crypto";
import { isMainThread } from "node:worker_threads";
import { type OpenDb, openDb } from "#server/db/db.ts";
import { oneQuery } from "#server/db/one-query.ts";
import { sweepOnSignal } from "./scratch.ts";
import { type Cluster, startCluster } from "./template.ts";

export interface Clone {
  /** As its owner, who may do anything. */
  url: string;
  /** As the role that a server works as. */
  runtimeUrl: string;
  drop(): Promise<void>;
}

let own: Cluster | undefined;

/** For commands that run outside the test runner: a cluster of this process. Answers what stops it. */
export async function ownCluster(): Promise<() => Promise<void>> {
  // In a thread of the test runner signals are the main thread's.
  if (isMainThread) sweepOnSignal();
  const { stop, ...cluster } = await startCluster();
  own = cluster;
  return async () => {
    // Another file of the same worker finds the run's cluster again.
    own = undefined;
    await stop();
  };
}

const cluster = async (): Promise<Cluster> => own ?? (await import("vitest")).inject("cluster");

/** A migrated database that holds the cast; call `drop` when the file is done. */
export async function cloneDatabase(): Promise<Clone> {
  const { template } = await cluster();
  return await create(`template ${template} strategy wal_log`);
}

/** A database with nothing in it: for the tests of migrations and of first starts. */
export async function emptyDatabase(): Promise<Clone> {
  return await create("template template0");
}

/** A database of one's own, opened as its owner by `max` connections; `close` ends them and drops it. */
export async function openClone(max: number, clone?: Clone): Promise<OpenDb & { url: string }> {
  const database = clone ?? (await cloneDatabase());
  const connection = openDb(database.url, { max });
  return {
    ...connection,
    url: database.url,
    async close() {
      await connection.close();
      await database.drop();
    },
  };
}

async function create(how: string): Promise<Clone> {
  const { url: clusterUrl, runtimeUrl } = await cluster();
  const name = `test_${process.pid}_${randomBytes(6).toString("hex")}`;
  await oneQuery(clusterUrl, `create database ${name} ${how}`);
  const named = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  return {
    url: named(clusterUrl),
    runtimeUrl: named(runtimeUrl),
    async drop() {
      await oneQuery(clusterUrl, `drop database if exists ${name} with (force)`);
    },
  };
}
