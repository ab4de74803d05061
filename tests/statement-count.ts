// Counts the statements that a piece of work sends to the database.
import type { Pool, PoolClient } from "pg";

/** Does a piece of work; gives how many statements left through a pool meanwhile. */
export async function countStatements(pool: Pool, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const wrapped = new Map<PoolClient, PoolClient["query"]>();
  const wrap = (client: PoolClient) => {
    if (wrapped.has(client)) return;
    const query: PoolClient["query"] = client.query.bind(client);
    wrapped.set(client, query);
    client.query = ((...args: never[]) => {
      count += 1;
      return (query as (...args: never[]) => unknown)(...args);
    }) as PoolClient["query"];
  };
  pool.on("acquire", wrap);
  try {
    await work();
  } finally {
    pool.off("acquire", wrap);
    for (const [client, query] of wrapped) client.query = query;
  }
  return count;
}
