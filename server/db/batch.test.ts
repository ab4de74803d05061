// Calls gathered into batches: which are sent alone, which together, and that each has its own outcome.
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createBatcher } from "./batch.ts";

interface BatchCalls {
  ones: number[];
  manys: number[][];
}

function createDoubler(
  flown: BatchCalls,
  many?: (items: readonly number[]) => Promise<void>,
  { overlapAfterMs = 600_000, minBatch = 4 } = {},
) {
  return createBatcher<number, number>({
    overlapAfterMs,
    minBatch,
    one: async (item) => {
      flown.ones.push(item);
      if (item < 0) throw new Error(`no ${item}`);
      return 2 * item;
    },
    many: async (items) => {
      flown.manys.push([...items]);
      await many?.(items);
      return items.map((item) =>
        item < 0
          ? { status: "rejected", reason: new Error(`no ${item}`) }
          : { status: "fulfilled", value: 2 * item },
      );
    },
  });
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test("three of one moment go alone, four together, and never more than 64", async () => {
  const flown: BatchCalls = { ones: [], manys: [] };
  const double = createDoubler(flown);
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(flown).toEqual({ ones: [1, 2, 3], manys: [] });
  expect(await Promise.all(upTo(4).map(double))).toEqual([0, 2, 4, 6]);
  expect(flown.manys).toEqual([[0, 1, 2, 3]]);
  expect(await Promise.all(upTo(130).map(double))).toEqual(upTo(130).map((item) => 2 * item));
  expect(flown.manys.slice(1).map((batch) => batch.length)).toEqual([64, 64]);
  expect(flown.ones.length).toBe(5);
});

test("where one alone is a batch too, nobody goes alone", async () => {
  const flown: BatchCalls = { ones: [], manys: [] };
  const double = createDoubler(flown, undefined, { minBatch: 1 });
  expect(await double(1)).toBe(2);
  expect(await Promise.all([2, 3].map(double))).toEqual([4, 6]);
  expect(flown).toEqual({ ones: [], manys: [[1], [2, 3]] });
});

test("those who come while a batch is away wait for it, and go together", async () => {
  const flown: BatchCalls = { ones: [], manys: [] };
  const home = Promise.withResolvers<void>();
  const double = createDoubler(flown, () => home.promise);
  const first = Promise.all(upTo(4).map(double));
  await expect.poll(() => flown.manys).toHaveLength(1);
  const later = Promise.all([10, 11, 12, 13, 14].map(double));
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(flown.manys).toEqual([[0, 1, 2, 3]]);
  home.resolve();
  expect(await first).toEqual([0, 2, 4, 6]);
  expect(await later).toEqual([20, 22, 24, 26, 28]);
  expect(flown).toEqual({
    ones: [],
    manys: [
      [0, 1, 2, 3],
      [10, 11, 12, 13, 14],
    ],
  });
});

test("each has its own outcome; a batch that throws is gone through one by one", async () => {
  const flown: BatchCalls = { ones: [], manys: [] };
  const items = [1, -2, 3, 4, 5];
  const outcomes = [
    { status: "fulfilled", value: 2 },
    { status: "rejected", reason: new Error("no -2") },
    { status: "fulfilled", value: 6 },
    { status: "fulfilled", value: 8 },
    { status: "fulfilled", value: 10 },
  ];
  expect(await Promise.allSettled(items.map(createDoubler(flown)))).toEqual(outcomes);
  expect(flown.ones).toEqual([]);
  const broken = createDoubler(flown, async () => {
    throw new Error("the batch fell");
  });
  expect(await Promise.allSettled(items.map(broken))).toEqual(outcomes);
  expect(flown.ones).toEqual(items);
});

test("a batch that does not come back does not keep the next one waiting", async () => {
  const flown: BatchCalls = { ones: [], manys: [] };
  const home = Promise.withResolvers<void>();
  const never = async (items: readonly number[]) => {
    if (items.includes(0)) await home.promise;
  };
  const double = createDoubler(flown, never, { overlapAfterMs: 1 });
  const first = Promise.all(upTo(4).map(double));
  await expect.poll(() => flown.manys).toHaveLength(1);
  expect(await Promise.all([10, 11, 12, 13].map(double))).toEqual([20, 22, 24, 26]);
  home.resolve();
  expect(await first).toEqual([0, 2, 4, 6]);
});
