// Before any test file: the run's cluster, whose template every file clones (tests/cluster.ts).
import type { TestProject } from "vitest/node";
import { sweep, sweepOnSignal } from "./scratch.ts";
import { type Cluster, startCluster, useServer } from "./template.ts";

declare module "vitest" {
  export interface ProvidedContext {
    cluster: Cluster;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  sweepOnSignal();
  // `npm run test:rooms -- --database <url>` (scripts/test.ts).
  const databaseUrl = process.env["TEST_DATABASE_URL"];
  const { stop, ...cluster } = databaseUrl ? await useServer(databaseUrl) : await startCluster();
  project.provide("cluster", cluster);
  return async () => {
    await stop();
    await sweep(process.pid);
  };
}
