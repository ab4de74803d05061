// The child process for heavy work: it is started at the first task, limited, and replaced when it dies.
import { expect, test } from "vitest";
import type { Odd } from "#tests/odd-worker.ts";
import { workProcess, WorkFailed } from "./work-process.ts";

interface Answered {
  pid: number;
  started: string;
}
const entry = new URL("../../tests/odd-worker.ts", import.meta.url);
const usual = { atOnce: 1, waiting: 4, timeoutMs: 20_000, idleMs: 20_000, attempts: 1 };
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("tasks share one process; quiet ends it, and the next task starts another", async () => {
  const work = workProcess<Odd, Answered>(entry, { ...usual, idleMs: 50 });
  const [first, second] = await Promise.all([work("process"), work("process")]);
  expect(second).toEqual(first);
  await expect.poll(() => isAlive(first.pid)).toBe(false);
  expect((await work("process")).started).not.toBe(first.started);
});

// proves: work-processes
test("a process that dies fails the task that it had, and those behind it are done", async () => {
  const work = workProcess<Odd, Answered>(entry, usual);
  const [dead, next] = await Promise.allSettled([work("die"), work("process")]);
  expect(dead).toMatchObject({ status: "rejected", reason: expect.any(WorkFailed) });
  expect(next).toMatchObject({ status: "fulfilled" });
});

test("a task may be handed out again after a death that was not its own", async () => {
  const work = workProcess<Odd, Answered>(entry, { ...usual, attempts: 2 });
  const first = await work("process");
  // The first process never answers it, however late the signal comes.
  const next = work({ hangsIn: first.started });
  process.kill(first.pid, "SIGKILL");
  expect((await next).started).not.toBe(first.started);
});

// proves: work-processes
test("what takes too long is ended; what throws or refuses is told, and its process stays", async () => {
  const work = workProcess<Odd, Answered>(entry, { ...usual, timeoutMs: 1500 });
  await expect(work("hang")).rejects.toThrow(WorkFailed);
  const first = await work("process");
  await expect(work("throw")).rejects.toThrow("as asked");
  const refusal = { code: "too_many_requests", details: { seconds: 2 }, status: 429 };
  await expect(work("refuse")).rejects.toMatchObject(refusal);
  expect(await work("process")).toEqual(first);
});

test("a process that is slow to start does its task: the time of the work is not that of the start", async () => {
  const late = new URL("../../tests/late-worker.ts", import.meta.url);
  const work = workProcess<Odd, Answered>(late, { ...usual, timeoutMs: 1500 });
  expect((await work("process")).started).not.toBe("");
});

// proves: work-processes
test.runIf(process.platform === "linux")(
  "memory beyond the limit ends the task alone",
  async () => {
    const work = workProcess<Odd, Answered>(entry, { ...usual, memoryBytes: 1280 * 1024 ** 2 });
    await expect(work("fill")).rejects.toThrow();
    expect((await work("process")).started).not.toBe("");
  },
);

// proves: work-processes
test("a full queue refuses at once; tasks of one person take turns with others'", async () => {
  const work = workProcess<Odd, Answered>(entry, usual);
  const done: string[] = [];
  const noted = async (name: string, of: number) => {
    await work("process", of);
    done.push(name);
  };
  const tasks = [noted("a1", 1), noted("a2", 1), noted("a3", 1), noted("a4", 1), noted("b1", 2)];
  await expect(work("process", 3)).rejects.toMatchObject({ code: "unavailable" });
  await Promise.all(tasks);
  expect(done).toEqual(["a1", "b1", "a2", "a3", "a4"]);
});
