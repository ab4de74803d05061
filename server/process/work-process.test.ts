// The child process for heavy work: it is started late, limited, and replaced when it dies.
import { expect, test } from "vitest";
import { workProcess, WorkFailed } from "./work-process.ts";

type Odd = "pid" | "die" | "hang" | "throw" | "fill";
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
  const work = workProcess<Odd, number>(entry, { ...usual, idleMs: 50 });
  const [first, second] = await Promise.all([work("pid"), work("pid")]);
  expect(second).toBe(first);
  await expect.poll(() => isAlive(first)).toBe(false);
  expect(await work("pid")).not.toBe(first);
});

test("a process that dies fails the task that it had, and those behind it are done", async () => {
  const work = workProcess<Odd, number>(entry, usual);
  const [dead, next] = await Promise.allSettled([work("die"), work("pid")]);
  expect(dead).toMatchObject({ status: "rejected", reason: expect.any(WorkFailed) });
  expect(next).toMatchObject({ status: "fulfilled" });
});

test("a task may be handed out again after a death that was not its own", async () => {
  const work = workProcess<Odd, number>(entry, { ...usual, attempts: 2 });
  const pid = await work("pid");
  const next = work("pid");
  process.kill(pid, "SIGKILL");
  expect(await next).not.toBe(pid);
});

test("what takes too long is ended; what throws is told, and its process stays", async () => {
  const work = workProcess<Odd, number>(entry, { ...usual, timeoutMs: 1500 });
  await expect(work("hang")).rejects.toThrow(WorkFailed);
  const pid = await work("pid");
  await expect(work("throw")).rejects.toThrow("as asked");
  expect(await work("pid")).toBe(pid);
});

test.runIf(process.platform === "linux")(
  "memory beyond the limit ends the task alone",
  async () => {
    const work = workProcess<Odd, number>(entry, { ...usual, memoryBytes: 1280 * 1024 ** 2 });
    await expect(work("fill")).rejects.toThrow();
    expect(await work("pid")).toBeGreaterThan(0);
  },
);

test("a full queue refuses at once; tasks of one person take turns with others'", async () => {
  const work = workProcess<Odd, number>(entry, usual);
  const done: string[] = [];
  const noted = async (name: string, of: number) => {
    await work("pid", of);
    done.push(name);
  };
  const tasks = [noted("a1", 1), noted("a2", 1), noted("a3", 1), noted("a4", 1), noted("b1", 2)];
  await expect(work("pid", 3)).rejects.toMatchObject({ code: "unavailable" });
  await Promise.all(tasks);
  expect(done).toEqual(["a1", "b1", "a2", "a3", "a4"]);
});
