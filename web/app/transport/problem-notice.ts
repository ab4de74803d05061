// The specification's error notifications of a read: the message, once for each failure (spec §8). The
// screen says it inline too: a notification alone is never the message.
import { useEffect } from "react";
import { notify } from "#web/ui/toast.tsx";

/** Shows a refusal, or an answer that did not come, as an error notification. */
export function useProblemNotice(problem: Error | null): void {
  useEffect(() => {
    if (problem) notify({ text: problem.message, kind: "error" });
  }, [problem]);
}
