// Files of lines in a process of their own: a hostile file is refused, and the next one is read.
import { expect, test } from "vitest";
import type { Odd } from "#tests/odd-worker.ts";
import { FileFaults, lineFileReader } from "./line-files.ts";

// proves: line-files
test("a file that ends its process is refused, the next one is read", async () => {
  const read = lineFileReader<Odd, { pid: number }>(
    new URL("../../tests/odd-worker.ts", import.meta.url),
  );
  await expect(read("die")).rejects.toMatchObject({ code: "file_too_slow", status: 422 });
  expect((await read("process")).pid).toBeGreaterThan(0);
});

test("the reading stops at the fault after the hundredth", () => {
  const read = (count: number) => {
    const faults = new FileFaults<number>();
    let taken = 0;
    faults.collect(() => {
      for (; taken < count; taken++) faults.add(taken);
    });
    return [taken, faults.list.length, faults.stopped];
  };
  expect(read(100)).toEqual([100, 100, false]);
  expect(read(5000)).toEqual([100, 100, true]);
});
