// Calls of many requests gathered into one statement: while one batch is with the database, those who
// come wait together for the next. At low load a call goes alone, at once, and pays nothing.

import { actAsNobody } from "#server/process/acting.ts";

/** At most so many calls in one batch. */
const most = 64;

export interface Ways<Item, Result> {
  one: (item: Item) => Promise<Result>;
  /** One outcome for each item, in their order. If it throws, nothing of it may have happened. */
  many: (items: readonly Item[]) => Promise<PromiseSettledResult<Result>[]>;
  /**
   * A batch that takes longer no longer keeps the next one waiting. Long where batches lock: two that
   * overlap on a slow machine would wait for each other's rows.
   */
  patienceMs?: number;
  /** Fewer calls than that go each alone; 4 unless told. */
  fewest?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (why: unknown) => void;
}

/**
 * Makes of two ways to answer (one call, many calls) a function that answers one call, in a batch with
 * those of the same moment. What it reads is read after the call came. A batch that throws is gone
 * through again one by one, so that each call has its own outcome.
 */
export function batched<Item, Result>(ways: Ways<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let busy = false;
  const next = () => {
    if (waiting.length === 0) {
      busy = false;
      return;
    }
    busy = true;
    // Once per turn of the event loop: all that this turn has read from sockets goes together.
    actAsNobody(() =>
      setImmediate(() => {
        const batch = waiting.splice(0, most);
        let answered = false;
        const goOn = () => {
          if (answered) return;
          answered = true;
          clearTimeout(timer);
          next();
        };
        const timer = setTimeout(goOn, ways.patienceMs ?? 100);
        void fly(ways, batch).then(goOn);
      }),
    );
  };
  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) next();
    });
}

/** `batched` for each database or server by itself: tests run several in one process. */
export function batchedFor<Owner extends object, Item, Result>(
  waysOf: (owner: Owner) => Ways<Item, Result>,
): (owner: Owner, item: Item) => Promise<Result> {
  const known = new WeakMap<Owner, (item: Item) => Promise<Result>>();
  return (owner, item) => {
    const ask = known.get(owner) ?? batched(waysOf(owner));
    known.set(owner, ask);
    return ask(item);
  };
}

/** Never rejects: every outcome goes to its own caller. */
async function fly<Item, Result>(
  ways: Ways<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  const alone = ({ item, resolve, reject }: Waiting<Item, Result>) =>
    ways.one(item).then(resolve, reject);
  if (batch.length < (ways.fewest ?? 4)) {
    await Promise.all(batch.map(alone));
    return;
  }
  try {
    const outcomes = await ways.many(batch.map(({ item }) => item));
    batch.forEach(({ resolve, reject }, place) => {
      const outcome = outcomes[place];
      if (outcome?.status === "fulfilled") resolve(outcome.value);
      else reject(outcome?.reason ?? new Error("a batch forgot one of its calls"));
    });
  } catch {
    await Promise.all(batch.map(alone));
  }
}
