// Child side of work-process.ts: reads tasks and answers them.
import { flushCompileCache } from "node:module";
import { Problem, type ProblemCode, type ProblemDetails } from "#contract/errors.ts";

interface TaskMessage {
  id: number;
  job: never;
}

export interface TaskAnswer {
  id: number;
  /** The task was received; its answer follows. */
  begun?: boolean;
  result?: unknown;
  error?: string;
  /** The refusal thrown by the work. */
  problem?: { code: ProblemCode; details: ProblemDetails };
}

/** Performs a task; `of` is the person whose task it is. */
export type Work<Job, Result> = (job: Job, of?: number) => Promise<Result>;

/** Answers each task with the result of `work`, until the server is gone. */
export function answerTasks<Job, Result>(work: Work<Job, Result>): void {
  // Ignored, because Ctrl-C reaches every process of a terminal: the server ends this one after its last
  // answer.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.on("disconnect", () => process.exit());
  // Written now: the process ends by a signal, when nothing is written.
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
