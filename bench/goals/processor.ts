// Processor time, which other work on the machine changes far less than elapsed time.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { processesIn } from "#server/db/postgres-process.ts";

/** Processor time of all threads of a living process, in milliseconds (Linux; 0 elsewhere). */
export function cpuMs(pid: number): number {
  try {
    const tasks = `/proc/${pid}/task`;
    return readdirSync(tasks).reduce((sum, thread) => sum + threadCpuMs(join(tasks, thread)), 0);
  } catch {
    return 0;
  }
}

/** The same of all processes of the embedded database under `dataDir`. */
export const workedByDatabase = (dataDir: string): number =>
  processesIn(join(dataDir, "postgres")).reduce((sum, pid) => sum + cpuMs(pid), 0);

// The file holds nanoseconds on a processor, then nanoseconds spent waiting for one.
const threadCpuMs = (task: string): number =>
  Number(readFileSync(join(task, "schedstat"), "utf8").split(" ")[0]) / 1e6;
