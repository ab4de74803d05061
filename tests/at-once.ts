// Work done several pieces at a time, and how long each took: for benchmarks and rushes.

/** Does every piece of work, `atOnce` at a time; answers how long each took, in ms, the shortest first. */
export async function allAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<number[]> {
  const took: number[] = [];
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const item = items[next++] as T;
      const started = performance.now();
      await work(item);
      took.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return took.toSorted((a, b) => a - b);
}
