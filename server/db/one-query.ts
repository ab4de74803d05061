// One statement on a connection of its own: before there is a pool, or besides it.
import { Client, type QueryResultRow } from "pg";

/** Connects to `url`, runs `sql`, disconnects; returns the rows. Connecting may take `timeoutMs`. */
export async function oneQuery<Row extends QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
  timeoutMs = 10_000,
): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
  // A connection that breaks also fails the call below; an unhandled event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
