// Runs heavy work in a child process of lower priority: password hashes, re-encoding of images, files of
// lines. The first task starts it, idle time ends it, the next task replaces one that died. The event loop,
// memory and processor share of the server are not affected.
import { type ChildProcess, spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { constants, setPriority } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Problem } from "#contract/errors.ts";
import { type InTurn, placeByTurn, turnOf } from "./fair-queue.ts";
import type { TaskAnswer, Work } from "./work-entry.ts";

export interface WorkLimits {
  /** Concurrent tasks in the process, and how many more may wait. */
  atOnce: number;
  waiting: number;
  /** A task that takes longer, from when the process has begun it, has its process killed. */
  timeoutMs: number;
  /** The process ends after this long without a task. */
  idleMs: number;
  /** How often a task is given to a process that dies under it. */
  attempts: number;
  /** Memory limit of the process, where the system has such a limit (Linux). */
  memoryBytes?: number;
}

/** How often a process is started for a task before this counts as an outage. */
const maxStarts = 3;
/** Milliseconds in which a process that was started begins its task, at least. */
const startMs = 10_000;

/** The process died or took too long during a task: its input may be the cause. */
export class WorkFailed extends Error {}

interface Task extends InTurn {
  job: unknown;
  attempts: number;
  /** Whether the process received it: if it died before, the task is not the cause. */
  begun: boolean;
  timer?: NodeJS.Timeout;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/**
 * Makes a function that does its work in a child process of `entry` (an `answerTasks` file). Tasks `of` one
 * person take turns with those of others (fair-queue.ts). Refuses `unavailable` when the queue is full, and
 * as the work itself does; throws `WorkFailed` when the process dies or takes too long, and an Error with the
 * message of what the work itself threw.
 */
export function workProcess<Job, Result>(entry: URL, limits: WorkLimits): Work<Job, Result> {
  const waiting: Task[] = [];
  const running = new Map<number, Task>();
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  /** A process without a task does not keep the server or a command from ending. */
  function hold(process: ChildProcess): void {
    const isBusy = running.size > 0;
    for (const held of [process, process.channel]) {
      if (isBusy) held?.ref();
      else held?.unref();
    }
    clearTimeout(idle);
    if (!isBusy) idle = setTimeout(() => end(process), limits.idleMs).unref();
  }

  function end(process: ChildProcess): void {
    child = undefined;
    process.kill();
  }

  function begin(): ChildProcess {
    const started = spawnWorker(entry, limits.memoryBytes);
    started.on("message", ({ id, begun = false, result, error, problem }: TaskAnswer) => {
      const task = running.get(id);
      if (!task) return;
      task.begun = true;
      clearTimeout(task.timer);
      if (begun) {
        task.timer = setTimeout(() => started.kill("SIGKILL"), limits.timeoutMs);
        return;
      }
      running.delete(id);
      if (error === undefined) task.resolve(result as never);
      else task.reject(problem ? new Problem(problem.code, problem.details) : new Error(error));
      handOut();
    });
    const onEnd = (why: unknown) => {
      if (child !== started) return;
      child = undefined;
      clearTimeout(idle);
      const lost = [...running.values()];
      running.clear();
      for (const task of lost) {
        clearTimeout(task.timer);
        const max = task.begun ? limits.attempts : maxStarts;
        if (task.attempts < max) waiting.unshift(task);
        else task.reject(new WorkFailed(`the process of ${entry.pathname} ended: ${String(why)}`));
      }
      handOut();
    };
    started.on("error", onEnd);
    started.on("exit", (code, signal) => onEnd(signal ?? code));
    return started;
  }

  function handOut(): void {
    while (running.size < limits.atOnce) {
      const task = waiting.shift();
      if (!task) break;
      child ??= begin();
      const to = child;
      lastId++;
      running.set(lastId, task);
      task.attempts++;
      task.begun = false;
      // The work has its time once it has begun: on a busy machine a process is slow to start.
      task.timer = setTimeout(() => to.kill("SIGKILL"), Math.max(limits.timeoutMs, startMs));
      // A task that cannot be sent fails when the process ends.
      to.send({ id: lastId, job: task.job }, () => undefined);
    }
    if (child) hold(child);
  }

  return (job, of = 0) => {
    if (running.size >= limits.atOnce && waiting.length >= limits.waiting)
      return Promise.reject(new Problem("unavailable"));
    const turn = turnOf(of, [...waiting, ...running.values()]);
    return new Promise<Result>((resolve, reject) => {
      placeByTurn(waiting, { job, of, turn, attempts: 0, begun: false, resolve, reject });
      handOut();
    });
  };
}

function spawnWorker(entry: URL, memoryBytes: number | undefined): ChildProcess {
  const node = [process.execPath, "--disable-warning=ExperimentalWarning", fileURLToPath(entry)];
  // Only a shell can set a limit of the system before the program starts.
  const limited =
    memoryBytes !== undefined && process.platform === "linux"
      ? ["/bin/sh", "-c", `ulimit -d ${memoryBytes >> 10}; exec "$0" "$@"`, ...node]
      : node;
  const [command = process.execPath, ...args] = limited;
  const started = spawn(command, args, {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
    env: workerEnvironment(),
  });
  try {
    if (started.pid !== undefined)
      setPriority(started.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It ended already, or the system does not allow it: the work is done all the same.
  }
  return started;
}

/** The process gets no secret of the server: neither its keys nor its addresses. */
function workerEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TMPDIR, LD_LIBRARY_PATH } = process.env;
  const cache = getCompileCacheDir();
  return {
    PATH,
    SystemRoot,
    TMPDIR,
    LD_LIBRARY_PATH,
    // With the cache the process need not load Node's type stripper: 50 ms and 17 MB.
    ...(cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {}),
  };
}
