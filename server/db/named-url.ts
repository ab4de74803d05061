// Connections that serve one purpose bear a name of their own in pg_stat_activity.
import type { Deps } from "#server/process/deps.ts";

/**
 * The address of the database under another application name; one given in the address would win. Around
 * a pooler: it would take the name away between two transactions, and LISTEN with it.
 */
export function namedUrl({ config, pool }: Pick<Deps, "config" | "pool">, name: string): string {
  const address = new URL(config.databaseDirectUrl ?? pool.options.connectionString ?? "");
  address.searchParams.set("application_name", name);
  return address.href;
}
