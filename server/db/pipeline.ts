// Transactions whose independent statements are pipelined: they are sent in one flush without waiting for
// each other's answers, and PostgreSQL runs them in that order.
import type { Duplex } from "node:stream";
import { Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import { DatabaseError, type Pool, type PoolClient, type QueryResult } from "pg";
import type { Tx } from "./db.ts";
import { rowNames } from "./rows.ts";
import type { Tables } from "./tables.ts";

/** The error code of the statements behind a failed one: the transaction is aborted. */
const inFailedTransaction = "25P02";

/** State of a transaction that `runPipelined` needs. */
interface Pipeline {
  client: PoolClient;
  /** Called each time that a statement of the transaction has been sent. */
  onSent: () => void;
  /** The COMMIT sent behind the last statements. */
  commit?: Promise<QueryResult>;
}
const pipelines = new WeakMap<Tx, Pipeline>();

/**
 * Runs `work` in one READ COMMITTED transaction on a connection of its own, once. Within it `runPipelined`
 * sends statements without waiting; all else behaves as in any transaction. `onCommitting` is called when all
 * is done but the COMMIT, the only moment whose outcome may stay unknown.
 */
export async function inPipeline<T>(
  pool: Pool,
  work: (tx: Tx) => Promise<T>,
  onCommitting: () => void,
): Promise<T> {
  const client = await pool.connect();
  let connectionError: Error | undefined;
  usePipeline(client, true);
  try {
    const begin = client.query("begin");
    const pipeline: Pipeline = { client, onSent: () => {} };
    const tx = transactionOn(pipeline, begin);
    try {
      const [, result] = await inOrder([begin, work(tx)]);
      if (!pipeline.commit) onCommitting();
      const { command } = await (pipeline.commit ?? client.query("commit"));
      if (command !== "COMMIT")
        throw new Error("the transaction had been aborted before its COMMIT");
      return result as T;
    } catch (error) {
      if (pipeline.commit) {
        // Behind a failed statement the COMMIT answers that it rolled back. With any other answer it may have
        // succeeded.
        const end = await pipeline.commit.catch(() => undefined);
        if (end?.command !== "ROLLBACK") onCommitting();
      }
      await client.query("rollback").catch((why: unknown) => (connectionError = why as Error));
      throw error;
    }
  } finally {
    usePipeline(client, false);
    client.release(connectionError);
  }
}

type Statements = readonly (() => Promise<unknown>)[];
type Answers<Batch extends Statements> = {
  -readonly [At in keyof Batch]: Awaited<ReturnType<Batch[At]>>;
};

/**
 * Starts each in its order, the next as soon as the statement of the one before has been sent: each of them
 * sends one statement, and all go in one write. Fails with the error of the first one that failed. In a
 * transaction that `inPipeline` did not open, each waits for the one before.
 */
export async function runPipelined<const Batch extends Statements>(
  tx: Tx,
  statements: Batch,
): Promise<Answers<Batch>> {
  return await send(tx, statements, () => {});
}

/**
 * The same for the last statements of a transaction: its COMMIT is sent with them, unless one of them failed
 * before it was sent. In a transaction that `inPipeline` did not open, whose COMMIT comes later, it is
 * `runPipelined`.
 */
export async function runPipelinedAndCommit<const Batch extends Statements>(
  tx: Tx,
  statements: Batch,
): Promise<Answers<Batch>> {
  return await send(tx, statements, (pipeline) => {
    pipeline.commit = pipeline.client.query("commit");
    // Its answer is for `inPipeline`, which may still be waiting for the statements before it.
    pipeline.commit.catch(() => {});
  });
}

async function send<const Batch extends Statements>(
  tx: Tx,
  statements: Batch,
  allSent: (pipeline: Pipeline) => void,
): Promise<Answers<Batch>> {
  const pipeline = pipelines.get(tx);
  const answers: Promise<unknown>[] = [];
  const stream = pipeline && streamOf(pipeline.client);
  stream?.cork();
  let failed = false;
  for (const ask of statements) {
    const left = pipeline && new Promise<void>((resolve) => (pipeline.onSent = resolve));
    const answer = ask();
    answers.push(answer);
    // A statement that fails before it is sent, or a step without one, holds up no other.
    const done = answer.then(
      () => undefined,
      () => void (failed = true),
    );
    await (left ? Promise.race([left, done]) : answer);
  }
  if (pipeline && !failed) allSent(pipeline);
  stream?.uncork();
  return (await inOrder(answers)) as Answers<Batch>;
}

/** All answers; when one fails, the error that made the others fail, once none is under way. */
async function inOrder(answers: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(answers);
  const faults = settled.flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  if (faults.length > 0) {
    const isCause = (fault: unknown) =>
      !(fault instanceof DatabaseError && fault.code === inFailedTransaction);
    throw faults.find(isCause) ?? faults[0];
  }
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value);
}

/** Kysely on one client and nothing else: it sends each statement at once. */
function transactionOn(pipeline: Pipeline, begin: Promise<unknown>): Tx {
  const { client } = pipeline;
  let beginError: unknown;
  begin.catch((why: unknown) => (beginError = why));
  const facade = {
    query: (text: string, values: readonly unknown[]) => {
      // The answer to BEGIN comes before any other: without it each statement would be a transaction of its
      // own.
      if (beginError !== undefined) throw beginError;
      const answer = client.query(text, [...values]);
      pipeline.onSent();
      return answer;
    },
    release: () => {},
  } as unknown as PostgresPoolClient;
  const dialect = new PostgresDialect({
    pool: { connect: async () => await Promise.resolve(facade), end: async () => {}, options: {} },
  });
  const tx = new Kysely<Tables>({ dialect, plugins: [rowNames] }) as unknown as Tx;
  pipelines.set(tx, pipeline);
  return tx;
}

/** The stream that the driver writes to, absent from its types. */
const streamOf = (client: PoolClient): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/** The driver decides it when a client is made; on an idle client it can be changed. */
function usePipeline(client: PoolClient, on: boolean): void {
  Reflect.set(client, "pipeline", on);
}
