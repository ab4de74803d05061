// A child process for server/process/work-process.test.ts: does what a task asks, even badly.
import { answerTasks } from "#server/process/work-entry.ts";

answerTasks(async (job: "pid" | "die" | "hang" | "throw" | "fill") => {
  if (job === "die") process.kill(process.pid, "SIGKILL");
  if (job === "throw") throw new Error("as asked");
  if (job === "hang") await new Promise(() => undefined);
  // Outside of JavaScript's own heap, as the memory of a decoder is.
  if (job === "fill")
    return Array.from({ length: 40 }, () => Buffer.alloc(100 * 1024 ** 2, 1)).length;
  return process.pid;
});
