// The other side of work-process.ts: what a child process runs to answer its tasks.
import { flushCompileCache } from "node:module";
import { Problem, type ProblemCode, type ProblemDetails } from "#contract/errors.ts";

interface TaskMessage {
  id: number;
  job: never;
}

export interface TaskAnswer {
  id: number;
  /** The task was read; its answer follows. */
  begun?: boolean;
  result?: unknown;
  error?: string;
  /** What the work refused. */
  problem?: { code: ProblemCode; details: ProblemDetails };
}

/** What is done with a task; `of` says whose it is. */
export type Work<Job, Result> = (job: Job, of?: number) => Promise<Result>;

/** Answers each task with what `work` makes of it, until the server is gone. */
export function answerTasks<Job, Result>(work: Work<Job, Result>): void {
  // Ctrl-C reaches every process of a terminal: the server ends this one after its last answer.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.on("disconnect", () => process.exit());
  // Kept now: it ends by a signal, which writes nothing.
  flushCompileCache();
  process.on("message", ({ id, job }: TaskMessage) => {
    const answer = (more: Omit<TaskAnswer, "id">) => process.send?.({ id, ...more });
    answer({ begun: true });
    work(job).then(
      (result) => answer({ result }),
      (error: unknown) => {
        if (error instanceof Problem) {
          const { code, details, message } = error;
          answer({ error: message, problem: { code, details } });
        } else answer({ error: error instanceof Error ? error.message : String(error) });
      },
    );
  });
}
