import { expect, test } from "vitest";
import { http } from "#contract/limits.ts";
import { createOfflineQueue } from "./offline-queue.ts";

interface Item {
  id: string;
  at: string;
  text: string;
  isSent: boolean;
}

/** Sends items of these lengths; gives the ids of each call and its bytes. */
async function callsOf(kind: string, lengths: readonly number[]) {
  const calls: { ids: string[]; bytes: number }[] = [];
  const queue = createOfflineQueue<Item>({
    kind,
    idOf: ({ id }) => id,
    atOf: ({ at }) => at,
    isSent: ({ isSent }) => isSent,
    groupOf: () => "",
    deliver: async (part) => {
      calls.push({ ids: part.map(({ id }) => id), bytes: JSON.stringify(part).length });
      for (const item of part) await queue.keep({ ...item, isSent: true });
      return true;
    },
    isSettled: ({ isSent }) => isSent,
  });
  await queue.open();
  for (const [place, length] of lengths.entries()) {
    const at = new Date(Date.UTC(2026, 0, 1) + place * 1000).toISOString();
    await queue.keep({ id: String(place), at, text: "x".repeat(length), isSent: false });
  }
  await queue.send();
  return calls;
}

test("a call stays below what a body may weigh, and everything goes, the oldest first", async () => {
  const calls = await callsOf(
    "heavy",
    Array.from({ length: 50 }, () => 4000),
  );
  expect(calls.length).toBeGreaterThan(1);
  for (const { bytes } of calls) expect(bytes).toBeLessThan(http.bodyBytes);
  expect(calls.flatMap(({ ids }) => ids)).toEqual(
    Array.from({ length: 50 }, (_, at) => String(at)),
  );
});

test("light ones go fifty at a time, and a heavy one goes alone", async () => {
  const light = await callsOf(
    "light",
    Array.from({ length: 60 }, () => 10),
  );
  expect(light.map(({ ids }) => ids.length)).toEqual([50, 10]);
  const mixed = await callsOf("mixed", [10, 50_000, 10]);
  expect(mixed.map(({ ids }) => ids)).toEqual([["0"], ["1"], ["2"]]);
});
