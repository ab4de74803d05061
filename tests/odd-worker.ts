// A child process for server/process/work-process.test.ts: does what a task asks, even badly.
import { randomUUID } from "node:crypto";
import { Problem } from "#contract/errors.ts";
import { answerTasks } from "#server/process/work-entry.ts";

export type Odd = "process" | "die" | "hang" | "throw" | "refuse" | "fill" | { hangsIn: string };

/** Tells this process from every other: the system gives the pid of one that ended to a later one. */
const started = randomUUID();

answerTasks(async (job: Odd) => {
  if (job === "die") process.kill(process.pid, "SIGKILL");
  if (job === "throw") throw new Error("as asked");
  if (job === "refuse") throw new Problem("too_many_requests", { seconds: 2, wait: "2 s" });
  if (job === "hang" || (typeof job === "object" && job.hangsIn === started))
    await new Promise(() => undefined);
  // Outside of JavaScript's own heap, as the memory of a decoder is.
  if (job === "fill") Array.from({ length: 40 }, () => Buffer.alloc(100 * 1024 ** 2, 1));
  return { pid: process.pid, started };
});
