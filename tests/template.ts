// One PostgreSQL for a run, and in it a template database, migrated once and filled with the cast, that
// is cloned by whoever needs a database.
import { randomBytes } from "node:crypto";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { oneQuery } from "#server/db/one-query.ts";
import { createEmbeddedRole, embeddedPassword, embeddedRole } from "#server/db/runtime-role.ts";
import { castInto } from "./cast.ts";
import { fastFolder, removeData, sweep } from "./scratch.ts";

/** The run's cluster (its `postgres` database, as its owner) and the name of the template to clone. */
export interface Cluster {
  url: string;
  /** As the role that a server works as. */
  runtimeUrl: string;
  template: string;
}

type Stoppable = Cluster & { stop: () => Promise<void> };

/** Starts an embedded cluster and makes its template; `stop` removes both. */
export async function startCluster(): Promise<Stoppable> {
  await sweep();
  const dataDir = await fastFolder("cluster");
  const embedded = await startEmbedded({
    dataDir,
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      autovacuum_naptime: "10min",
      max_connections: "400",
      // A clone is 1,250 small files and 17 MB of journal: handing each read to another process, and
      // starting a shell for each segment that nobody keeps, cost more than the copying.
      io_method: "sync",
      archive_mode: "off",
    },
    initdbArguments: ["--no-sync"],
  });
  const stop = async () => {
    await embedded.stop();
    await removeData(dataDir);
  };
  const template = "template_ma_carte";
  try {
    await makeTemplate(embedded.url, template);
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

/**
 * Makes a template on a PostgreSQL that runs already; `stop` removes what was made. Its role may create
 * databases and roles; tests also end sessions of others (pg_signal_backend) and alter history, which
 * takes `grant set on parameter session_replication_role`. Refuses a server on which a portal works.
 */
export async function useServer(url: string): Promise<Stoppable> {
  await sweep();
  const password = randomBytes(16).toString("hex");
  const template = `template_${process.pid}_ma_carte`;
  const taken = await oneQuery(url, `select from pg_roles where rolname = '${embeddedRole}'`);
  if (taken.length > 0)
    throw new Error(
      `this server has a role ${embeddedRole}: give one that no portal uses, or drop what a killed run left`,
    );
  await oneQuery(url, createEmbeddedRole(password));
  // Who may not end its sessions cannot drop a database that it is still connected to.
  await oneQuery(url, `grant ${embeddedRole} to current_user`);
  const stop = async () => {
    await oneQuery(url, `alter database ${template} with is_template false`);
    await oneQuery(url, `drop database ${template}`);
    await oneQuery(url, `drop role ${embeddedRole}`);
  };
  try {
    await makeTemplate(url, template);
  } catch (error) {
    await stop();
    throw error;
  }
  const runtimeUrl = new URL(url);
  runtimeUrl.username = embeddedRole;
  runtimeUrl.password = embeddedPassword(password);
  return { url, runtimeUrl: runtimeUrl.href, template, stop };
}

async function makeTemplate(url: string, template: string): Promise<void> {
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
