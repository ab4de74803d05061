// Files with one record a line, sent by people: read in a process of their own, up to a number of faults.
import { Problem } from "#contract/errors.ts";
import { WorkFailed, workProcess } from "#server/process/work-process.ts";
import type { Work } from "#server/process/work-entry.ts";

const maxFaults = 100;

/**
 * Returns a function that reads files in a child process of `entry`: a hostile file costs nobody else.
 * Refuses what the reading refuses, `file_too_slow` when it takes too much time or memory, and `unavailable`
 * when too many files wait.
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

/** Thrown by the fault after the last one reported: the rest is not read. */
class ReadingStopped extends Error {}

/**
 * The faults of a file, in the order in which they are found; the reading stops at the hundredth, or at
 * `max`.
 */
export class FileFaults<Fault> {
  readonly list: Fault[] = [];
  /** Whether there were more. */
  stopped = false;
  readonly #max: number;

  constructor(max = maxFaults) {
    this.#max = max;
  }

  add(fault: Fault): void {
    if (this.list.length === this.#max) throw new ReadingStopped();
    this.list.push(fault);
  }

  /** Runs `work` until it is done or finds too many faults. */
  collect(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ReadingStopped)) throw error;
      this.stopped = true;
    }
  }
}
