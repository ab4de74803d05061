// How the time of some work grows with what it is given.

/** How many times what `short` takes is taken by `long`, each at its quickest. */
export async function costRatio(
  short: () => Promise<void> | void,
  long: () => Promise<void> | void,
): Promise<number> {
  // The first runs of a function are slow.
  await short();
  const cost = await msOf(short);
  return (await msOf(long)) / cost;
}

const longMs = 100;

/** Of one run: short work is run many times, to be above what a clock tells apart. */
async function msOf(work: () => Promise<void> | void): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const began = performance.now();
    let runs = 0;
    let spent = 0;
    do {
      await work();
      runs++;
      spent = performance.now() - began;
    } while (spent < longMs / 10);
    best = Math.min(best, spent / runs);
    if (spent > longMs) break;
  }
  return best;
}
