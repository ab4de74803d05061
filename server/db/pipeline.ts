// A transaction whose statements need not wait for each other's answers: those that do not decide one
// another leave in one flush, and PostgreSQL works through them in the order in which they left.
import type { Duplex } from "node:stream";
import { Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import { DatabaseError, type Pool, type PoolClient, type QueryResult } from "pg";
import type { Tx } from "./db.ts";
import { rowNames } from "./rows.ts";
import type { Tables } from "./tables.ts";

/** What the statements behind a refused one are answered: the transaction is aborted. */
const behindAnother = "25P02";

/** What `together` needs of the transaction it sends in. */
interface Flight {
  client: PoolClient;
  /** Told each time that a statement of the transaction has left. */
  onSent: () => void;
  /** The COMMIT that left behind the last statements. */
  committed?: Promise<QueryResult>;
}
const flights = new WeakMap<Tx, Flight>();

/**
 * Runs `work` in one READ COMMITTED transaction on a connection of its own, once. Within it `together`
 * sends statements without waiting; whatever else is asked of `tx` is as in any transaction.
 * `committing` is told when all is done but the COMMIT, the only moment whose outcome may stay unknown.
 */
export async function inPipeline<T>(
  pool: Pool,
  work: (tx: Tx) => Promise<T>,
  committing: () => void,
): Promise<T> {
  const client = await pool.connect();
  let lost: Error | undefined;
  usePipeline(client, true);
  try {
    const begun = client.query("begin");
    const flight: Flight = { client, onSent: () => {} };
    const tx = transactionOn(flight, begun);
    try {
      const [, result] = await inOrder([begun, work(tx)]);
      if (!flight.committed) committing();
      const { command } = await (flight.committed ?? client.query("commit"));
      if (command !== "COMMIT")
        throw new Error("the transaction had been aborted before its COMMIT");
      return result as T;
    } catch (error) {
      if (flight.committed) {
        // Behind a refused statement it took all back, and says so. Whatever else it says, it may have passed.
        const end = await flight.committed.catch(() => undefined);
        if (end?.command !== "ROLLBACK") committing();
      }
      await client.query("rollback").catch((why: unknown) => (lost = why as Error));
      throw error;
    }
  } finally {
    usePipeline(client, false);
    client.release(lost);
  }
}

type Asks = readonly (() => Promise<unknown>)[];
type Answers<Asked extends Asks> = {
  -readonly [At in keyof Asked]: Awaited<ReturnType<Asked[At]>>;
};

/**
 * Asks each in its order, the next as soon as the statement of the one before has left: each of them
 * sends one statement, and all leave in one write. Fails with what the first of them to fail met. In another
 * transaction than that of `inPipeline` each waits for the one before.
 */
export async function together<const Asked extends Asks>(
  tx: Tx,
  asked: Asked,
): Promise<Answers<Asked>> {
  return await send(tx, asked, () => {});
}

/**
 * The same for the last statements of a transaction: its COMMIT leaves with them, unless one of them failed
 * before it was sent. In another transaction than that of `inPipeline`, whose COMMIT comes later, it is
 * `together`.
 */
export async function togetherAtLast<const Asked extends Asks>(
  tx: Tx,
  asked: Asked,
): Promise<Answers<Asked>> {
  return await send(tx, asked, (flight) => {
    flight.committed = flight.client.query("commit");
    // Its answer is for `inPipeline`, which may still be waiting for those before it.
    flight.committed.catch(() => {});
  });
}

async function send<const Asked extends Asks>(
  tx: Tx,
  asked: Asked,
  allSent: (flight: Flight) => void,
): Promise<Answers<Asked>> {
  const flight = flights.get(tx);
  const answers: Promise<unknown>[] = [];
  const stream = flight && streamOf(flight.client);
  stream?.cork();
  let failed = false;
  for (const ask of asked) {
    const left = flight && new Promise<void>((resolve) => (flight.onSent = resolve));
    const answer = ask();
    answers.push(answer);
    // One that fails before it sends anything, or has nothing to send, holds up nobody.
    const done = answer.then(
      () => undefined,
      () => void (failed = true),
    );
    await (left ? Promise.race([left, done]) : answer);
  }
  if (flight && !failed) allSent(flight);
  stream?.uncork();
  return (await inOrder(answers)) as Answers<Asked>;
}

/** All answers; when one fails, the fault that made the others fail, once none is under way. */
async function inOrder(answers: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(answers);
  const faults = settled.flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  if (faults.length > 0) {
    const isCause = (fault: unknown) =>
      !(fault instanceof DatabaseError && fault.code === behindAnother);
    throw faults.find(isCause) ?? faults[0];
  }
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value);
}

/** Kysely on one client and nothing else: it sends each statement when it is asked to. */
function transactionOn(flight: Flight, begun: Promise<unknown>): Tx {
  const { client } = flight;
  let unbegun: unknown;
  begun.catch((why: unknown) => (unbegun = why));
  const only = {
    query: (text: string, values: readonly unknown[]) => {
      // The answer to BEGIN comes before any other: without it each statement would stand by itself.
      if (unbegun !== undefined) throw unbegun;
      const answer = client.query(text, [...values]);
      flight.onSent();
      return answer;
    },
    release: () => {},
  } as unknown as PostgresPoolClient;
  const dialect = new PostgresDialect({
    pool: { connect: async () => await Promise.resolve(only), end: async () => {}, options: {} },
  });
  const tx = new Kysely<Tables>({ dialect, plugins: [rowNames] }) as unknown as Tx;
  flights.set(tx, flight);
  return tx;
}

/** Where the driver writes to; its types do not tell. */
const streamOf = (client: PoolClient): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/** The driver asks for it when a client is made; a client without work may change its mind. */
function usePipeline(client: PoolClient, on: boolean): void {
  Reflect.set(client, "pipeline", on);
}
