// Files of lines that people send: read in a process of their own, up to so many faults.
import { Problem } from "#contract/errors.ts";
import { WorkFailed, workProcess } from "#server/process/work-process.ts";
import type { Work } from "#server/process/work-entry.ts";

const maxFaults = 100;

/**
 * A function that reads files in a child process of `entry`: what a hostile file costs, nobody else waits
 * for. Refuses what the reading refuses, `file_too_slow` when it takes too much time or memory, and
 * `unavailable` when too many files wait.
 */
export function lineFileReader<Job, Result>(entry: URL): Work<Job, Result> {
  const read = workProcess<Job, Result>(entry, {
    atOnce: 1,
    waiting: 24,
    timeoutMs: 10_000,
    idleMs: 30_000,
    attempts: 1,
    // Node itself reserves half of it.
    memoryBytes: 1280 * 1024 ** 2,
  });
  return (job, of) =>
    read(job, of).catch((error: unknown) => {
      throw error instanceof WorkFailed ? new Problem("file_too_slow") : error;
    });
}

/** Thrown by the fault beyond the last one that is told: what follows is not read. */
class ReadingStopped extends Error {}

/** The faults of a file, in the order in which they are found; the reading stops at the hundredth, or at `most`. */
export class FileFaults<Fault> {
  readonly list: Fault[] = [];
  /** Whether there were more. */
  stopped = false;
  readonly #most: number;

  constructor(max = maxFaults) {
    this.#most = max;
  }

  add(fault: Fault): void {
    if (this.list.length === this.#most) throw new ReadingStopped();
    this.list.push(fault);
  }

  /** Runs `work` until it is done or finds a fault too many. */
  collect(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ReadingStopped)) throw error;
      this.stopped = true;
    }
  }
}
