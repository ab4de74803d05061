// Whether the server answers the counters of a professional. A browser may think that it is online while
// nothing comes back, so a counter goes by what became of its own calls.
import type { ApiProblem } from "./api.ts";
import { observed } from "./observed.ts";
import { useObserved, useOnline } from "./use-observed.ts";

const serverAnswers = observed(true);

/** Notes what became of a counter's call: a refusal is an answer too, a failure of the server is none. */
export function noteAnswer(problem: ApiProblem | null): void {
  serverAnswers.set(problem === null || (problem.code !== "no_answer" && problem.status < 500));
}

export const isAnswered = serverAnswers.get;

/** Whether the counter goes on without network now. */
export function useServerUnreachable(): boolean {
  const online = useOnline();
  const answers = useObserved(serverAnswers);
  return !online || !answers;
}
