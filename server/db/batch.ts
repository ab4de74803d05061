// Gathers calls of many requests into one statement: while a batch is with the database, later calls wait
// together for the next one. At low load a call is sent alone, at once, and costs nothing more.

import { runAsNobody } from "#server/process/acting-person.ts";

/** At most so many calls in one batch. */
const maxBatchSize = 64;

export interface BatchHandlers<Item, Result> {
  one: (item: Item) => Promise<Result>;
  /** One outcome for each item, in their order. If it throws, it must have had no effect. */
  many: (items: readonly Item[]) => Promise<PromiseSettledResult<Result>[]>;
  /**
   * A batch that takes longer no longer holds back the next one. Long where batches lock: two that overlap on
   * a slow machine would wait for each other's rows.
   */
  overlapAfterMs?: number;
  /** Below this number calls are sent one by one; 4 by default. */
  minBatch?: number;
}

interface PendingCall<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (why: unknown) => void;
}

/**
 * Makes of two implementations (one call, many calls) a function that answers one call, in a batch with
 * concurrent ones. What it reads is read after the call came. If a batch throws, its calls are repeated one
 * by one, so that each has its own outcome.
 */
export function createBatcher<Item, Result>(
  handlers: BatchHandlers<Item, Result>,
): (item: Item) => Promise<Result> {
  const queue: PendingCall<Item, Result>[] = [];
  let busy = false;
  const next = () => {
    if (queue.length === 0) {
      busy = false;
      return;
    }
    busy = true;
    // Once per turn of the event loop: calls from all sockets read in this turn go together.
    runAsNobody(() =>
      setImmediate(() => {
        const batch = queue.splice(0, maxBatchSize);
        let answered = false;
        const startNext = () => {
          if (answered) return;
          answered = true;
          clearTimeout(timer);
          next();
        };
        const timer = setTimeout(startNext, handlers.overlapAfterMs ?? 100);
        void runBatch(handlers, batch).then(startNext);
      }),
    );
  };
  return (item) =>
    new Promise<Result>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!busy) next();
    });
}

/** `createBatcher`, separately for each database or server: tests run several in one process. */
export function createBatcherPerOwner<Owner extends object, Item, Result>(
  handlersFor: (owner: Owner) => BatchHandlers<Item, Result>,
): (owner: Owner, item: Item) => Promise<Result> {
  const batchers = new WeakMap<Owner, (item: Item) => Promise<Result>>();
  return (owner, item) => {
    const ask = batchers.get(owner) ?? createBatcher(handlersFor(owner));
    batchers.set(owner, ask);
    return ask(item);
  };
}

/** Never rejects: every outcome goes to its own caller. */
async function runBatch<Item, Result>(
  handlers: BatchHandlers<Item, Result>,
  batch: readonly PendingCall<Item, Result>[],
): Promise<void> {
  const runSingle = ({ item, resolve, reject }: PendingCall<Item, Result>) =>
    handlers.one(item).then(resolve, reject);
  if (batch.length < (handlers.minBatch ?? 4)) {
    await Promise.all(batch.map(runSingle));
    return;
  }
  try {
    const outcomes = await handlers.many(batch.map(({ item }) => item));
    batch.forEach(({ resolve, reject }, place) => {
      const outcome = outcomes[place];
      if (outcome?.status === "fulfilled") resolve(outcome.value);
      else reject(outcome?.reason ?? new Error("a batch forgot one of its calls"));
    });
  } catch {
    await Promise.all(batch.map(runSingle));
  }
}
