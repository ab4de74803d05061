// An action of a screen: one call that changes something, from its button to the message afterwards. What it
// changes is read again by the columns of its row (decision 027).
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { Sending } from "#web/ui/form.ts";
import { notify } from "#web/ui/toast.tsx";
import { ApiProblem } from "./api.ts";
import { CodeAbandoned, type Proof } from "./code-request.ts";
import { withCode } from "./step-up.ts";

interface Options<Answer, Input> {
  /** The message once it is done, chosen when it was sent; none where it is null. */
  says?: string | ((answer: Answer, input: Input) => string | null);
  /** Closes, leaves, keeps the answer: before what the action changed is read again. */
  onDone?: (answer: Answer, input: Input) => unknown;
  /** After a refusal; a code that the person did not give is none. */
  onRefused?: (problem: ApiProblem, input: Input) => unknown;
}

/**
 * `run` makes the call; a step-up that it is refused for is asked for, and its proof given to `run` again. `problem` is
 * why it was refused, or that nobody knows (`isUnknown`). `send` takes what else to do once it is done.
 */
export function useAction<Answer, Input = void>(
  run: (input: Input, proof: Proof) => Promise<Answer>,
  { says, onDone, onRefused }: Options<Answer, Input> = {},
) {
  const afterwards = useRef<(() => void) | undefined>(undefined);
  // Another request may bring what the action changed before its own answer is there.
  const saysWhenSent = useRef(says);
  const act = useMutation<Answer, ApiProblem | CodeAbandoned, Input>({
    mutationFn: (input) => withCode((proof) => run(input, proof)),
    onSuccess: async (answer, input) => {
      const message = saysWhenSent.current;
      const text = typeof message === "function" ? message(answer, input) : message;
      if (text) notify({ text, kind: "success" });
      afterwards.current?.();
      afterwards.current = undefined;
      await follow(() => onDone?.(answer, input));
    },
    onError: async (problem, input) => {
      if (!(problem instanceof CodeAbandoned)) await follow(() => onRefused?.(problem, input));
    },
  });
  const send = (input: Input, then?: () => void) => {
    afterwards.current = then;
    saysWhenSent.current = says;
    act.mutate(input);
  };
  return { ...act, send, problem: act.error instanceof CodeAbandoned ? null : act.error };
}

/** A read that fails afterwards does not change the outcome of the action. */
async function follow(next: () => unknown): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
  }
}

/** What a dialog or a form needs of its action. */
export interface Action<Input> extends Sending<Input> {
  send: (input: Input, then?: () => void) => void;
  problem: ApiProblem | null;
}
