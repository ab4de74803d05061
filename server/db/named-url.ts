// Connections with one purpose get a name of their own in pg_stat_activity.
import type { Deps } from "#server/process/deps.ts";

/**
 * The address of the database with another application name, which a name given in the address would
 * override. Bypasses a pooler: it would drop the name between two transactions, and LISTEN with it.
 */
export function namedUrl({ config, pool }: Pick<Deps, "config" | "pool">, name: string): string {
  const address = new URL(config.databaseDirectUrl ?? pool.options.connectionString ?? "");
  address.searchParams.set("application_name", name);
  return address.href;
}
