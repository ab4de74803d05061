// One PostgreSQL for a run, and in it a template database, migrated once and filled with the cast, that
// is cloned by whoever needs a database.
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { oneQuery } from "#server/db/one-query.ts";
import { embeddedRole } from "#server/db/runtime-role.ts";
import { castInto } from "./cast.ts";
import { removeData, scratchFolder, sweep } from "./scratch.ts";

/** The run's cluster (its `postgres` database, as its owner) and the name of the template to clone. */
export interface Cluster {
  url: string;
  /** As the role that a server works as. */
  runtimeUrl: string;
  template: string;
}

const template = "template_ma_carte";

/** Starts the cluster and makes its template; `stop` removes both. */
export async function startCluster(): Promise<Cluster & { stop: () => Promise<void> }> {
  await sweep();
  const dataDir = await scratchFolder("cluster");
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
    await removeData(dataDir);
  };
  try {
    await makeTemplate(embedded.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: named(embedded.url, "postgres"),
    runtimeUrl: named(embedded.runtimeUrl, "postgres"),
    template,
    stop,
  };
}

async function makeTemplate(url: string): Promise<void> {
  await oneQuery(named(url, "postgres"), `create database ${template}`);
  await migrate(named(url, template), { runtimeRole: embeddedRole });
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
