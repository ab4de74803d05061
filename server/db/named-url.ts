// Connections that serve one purpose bear a name of their own in pg_stat_activity.
import type { Pool } from "pg";

/** The address of `pool` under another application name; one given in the address would win. */
export function namedUrl(pool: Pool, name: string): string {
  const address = new URL(pool.options.connectionString ?? "");
  address.searchParams.set("application_name", name);
  return address.href;
}
