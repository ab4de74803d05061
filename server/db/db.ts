// Access to PostgreSQL: a pool, typed queries, and transactions that repeat what may be repeated.
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from "kysely";
import { Client, DatabaseError, Pool, types } from "pg";
import { namePlans } from "./plans.ts";
import { rowNames } from "./rows.ts";
import type { Tables } from "./tables.ts";

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

// Every amount and id stays far below 2^53; days stay text so that no time zone can move them.
types.setTypeParser(types.builtins.INT8, Number);
types.setTypeParser(types.builtins.DATE, (value) => value);

/** Serialization failure, deadlock, lock not available: the same transaction may pass next time. */
const retryableStates = new Set(["40001", "40P01", "55P03"]);
const maxAttempts = 5;

/**
 * Names a statement, which PostgreSQL then plans once per connection, at its first use. Frequent reads are
 * named automatically (plans.ts).
 */
export const prepared = (name: string): RawBuilder<unknown> => sql.raw(`/*${name}*/`);

/** Marks a read that is planned anew for each call's values: of one row or of hundreds. */
export const customPlan: RawBuilder<unknown> = sql.raw("/* planned anew */");

/**
 * A value that the planner does not see. PostgreSQL plans a named statement anew at each call as long as its
 * plan for the call's values looks cheaper than a generic one: a list of one or two against a list of ten,
 * the last month against a third of all time. With hidden values both plans look alike, so it is planned
 * once.
 */
export const opaqueParameter = (value: unknown, type: string): RawBuilder<unknown> =>
  // The second cast turns it into a value where a list is meant: `any ((select …))` would be a set of rows.
  sql`(select ${value}::${sql.raw(type)})::${sql.raw(type)}`;

// Kysely has no named statements; planning many joins costs more than running them.
function namingClient(): typeof Client {
  const nameOf = namePlans();
  return class extends Client {
    // Kysely gives text and values; the many other forms of `query` pass through as they are.
    override query = ((text: unknown, ...rest: unknown[]): unknown => {
      const name = typeof text === "string" ? nameOf(text) : undefined;
      const config = name === undefined ? text : { name, text };
      return (super.query as (...args: unknown[]) => unknown)(config, ...rest);
    }) as Client["query"];
  };
}

// With a pooler, a statement prepared on one connection is missing, or another one, on the next.
class NamelessClient extends Client {
  override query = ((config: unknown, ...rest: unknown[]): unknown => {
    const isNamed = typeof config === "object" && config !== null && "name" in config;
    const nameless = isNamed ? { ...config, name: undefined } : config;
    return (super.query as (...args: unknown[]) => unknown)(nameless, ...rest);
  }) as Client["query"];
}

export interface OpenDb {
  db: Db;
  pool: Pool;
  close: () => Promise<void>;
}

interface PoolOptions {
  max?: number;
  /** How long a caller waits for a connection before it is refused. */
  connectTimeoutMs?: number;
  onError?: (error: Error) => void;
  /**
   * `url` is a pooler that gives each transaction another connection: no plan is kept, and the pooler sets
   * the time limits, which it would refuse from us (docs/cluster/pgbouncer.ini).
   */
  pooler?: boolean;
}

/**
 * Opens a pool on `url` with at most `max` connections; errors of idle or lost clients are only
 * logged.
 */
export function openDb(
  url: string,
  {
    max = 10,
    connectTimeoutMs: waitMs = 5_000,
    onError = () => {},
    pooler = false,
  }: PoolOptions = {},
): OpenDb {
  const connectionOptions = {
    Client: namingClient(),
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
  };
  const pool = new Pool({
    ...(pooler ? { Client: NamelessClient } : connectionOptions),
    connectionString: url,
    max,
    connectionTimeoutMillis: waitMs,
    // Closing a connection discards its plans.
    idleTimeoutMillis: 120_000,
    application_name: "ma-carte",
  });
  pool.on("error", onError);
  // Otherwise a client checked out between two queries would crash the process when it is cut.
  pool.on("connect", (client) => client.on("error", onError));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [rowNames] });
  const close = async () => {
    await db.destroy();
    // Kysely does not end a pool that it never used.
    if (!pool.ended) await pool.end();
  };
  return { db, pool, close };
}

/**
 * Runs `work` in one READ COMMITTED transaction, repeated at most five times when PostgreSQL reports that the
 * same transaction may succeed next time. `work` must therefore have no effect outside `tx`.
 */
export async function inTx<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === maxAttempts || !retryableStates.has(sqlState(error))) throw error;
      await sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/**
 * Runs one part of a transaction in a savepoint: if it throws, only its writes are undone, and the error is
 * rethrown.
 */
export async function inSavepoint<T>(tx: Tx, part: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(tx);
  try {
    const done = await part();
    await sql`release savepoint part`.execute(tx);
    return done;
  } catch (error) {
    await sql`rollback to savepoint part`.execute(tx);
    await sql`release savepoint part`.execute(tx);
    throw error;
  }
}

type Reads = readonly (() => Promise<unknown>)[];
type Answers<Calls extends Reads> = { [Place in keyof Calls]: Awaited<ReturnType<Calls[Place]>> };

/** Runs independent reads concurrently; one by one on the single connection of a transaction. */
export async function atOnce<const Calls extends Reads>(
  db: Db,
  reads: Calls,
): Promise<Answers<Calls>> {
  if (!db.isTransaction) return (await Promise.all(reads.map((read) => read()))) as Answers<Calls>;
  const answers: unknown[] = [];
  for (const read of reads) answers.push(await read());
  return answers as Answers<Calls>;
}

/** The five characters of PostgreSQL's error code, or "". */
export function sqlState(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? "") : "";
}
