// A transaction whose statements need not wait for each other's answers: those that do not decide one
// another leave in one flush, and PostgreSQL works through them in the order in which they left.
import { Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import { DatabaseError, type Pool, type PoolClient } from "pg";
import type { Tx } from "./db.ts";
import type { Tables } from "./tables.ts";

/** What the statements behind a refused one are answered: the transaction is aborted. */
const behindAnother = "25P02";

/** Told each time that a statement of the transaction has left. */
const departures = new WeakMap<Tx, { onSent: () => void }>();

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
    const tx = transactionOn(client, begun);
    try {
      const [, result] = await inOrder([begun, work(tx)]);
      committing();
      const { command } = await client.query("commit");
      if (command !== "COMMIT")
        throw new Error("the transaction had been aborted before its COMMIT");
      return result as T;
    } catch (error) {
      await client.query("rollback").catch((why: unknown) => (lost = why as Error));
      throw error;
    }
  } finally {
    usePipeline(client, false);
    client.release(lost);
  }
}

/**
 * Asks each in its order, the next as soon as the statement of the one before has left: each of them
 * sends one statement. Fails with what the first of them to fail met. In another transaction than that of
 * `inPipeline` each waits for the one before.
 */
export async function together<const Asked extends readonly (() => Promise<unknown>)[]>(
  tx: Tx,
  asked: Asked,
): Promise<{ -readonly [At in keyof Asked]: Awaited<ReturnType<Asked[At]>> }> {
  const departure = departures.get(tx);
  const answers: Promise<unknown>[] = [];
  for (const ask of asked) {
    const left = departure && new Promise<void>((resolve) => (departure.onSent = resolve));
    const answer = ask();
    answers.push(answer);
    // One that fails before it sends anything, or has nothing to send, holds up nobody.
    const done = answer.then(
      () => undefined,
      () => undefined,
    );
    await (left ? Promise.race([left, done]) : answer);
  }
  return (await inOrder(answers)) as {
    -readonly [At in keyof Asked]: Awaited<ReturnType<Asked[At]>>;
  };
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
function transactionOn(client: PoolClient, begun: Promise<unknown>): Tx {
  const departure = { onSent: () => {} };
  let unbegun: unknown;
  begun.catch((why: unknown) => (unbegun = why));
  const only = {
    query: (text: string, values: readonly unknown[]) => {
      // The answer to BEGIN comes before any other: without it each statement would stand by itself.
      if (unbegun !== undefined) throw unbegun;
      const answer = client.query(text, [...values]);
      departure.onSent();
      return answer;
    },
    release: () => {},
  } as unknown as PostgresPoolClient;
  const dialect = new PostgresDialect({
    pool: { connect: async () => await Promise.resolve(only), end: async () => {}, options: {} },
  });
  const tx = new Kysely<Tables>({ dialect }) as unknown as Tx;
  departures.set(tx, departure);
  return tx;
}

/** The driver asks for it when a client is made; a client without work may change its mind. */
function usePipeline(client: PoolClient, on: boolean): void {
  Reflect.set(client, "pipeline", on);
}
