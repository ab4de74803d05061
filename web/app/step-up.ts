// The step-up has one form: a call refused with `code_required` is repeated with the challenge and
// the code that the person received (décision 14). Screens write `withCode((proof) => call(…))`.
import { ApiProblem } from "./api.ts";
import { observed } from "./observed.ts";

export interface Proof {
  challenge?: string;
  code?: string;
}

/** What the dialog shows and may do while a code is waited for. */
export interface CodeRequest {
  /** The masked address that the code went to. */
  sentTo: string;
  error: string | null;
  busy: boolean;
  /** How many codes were sent: the typed digits are cleared at each. */
  sent: number;
  submit: (code: string) => Promise<void>;
  resend: () => Promise<void>;
  cancel: () => void;
}

/** The code that is waited for now, null when there is none. */
export const codeRequest = observed<CodeRequest | null>(null);

/** The person closed the dialog: nothing was done, and nothing needs to be said. */
export class CodeAbandoned extends Error {}

/** Errors that the dialog shows itself: the person can type again or ask for another code. */
const mendable = new Set<string>([
  "code_wrong",
  "code_expired",
  "code_sends_exhausted",
  "no_answer",
  "unavailable",
]);

/** Makes the call; when it asks for a code, asks the person and repeats it. */
export async function withCode<T>(attempt: (proof: Proof) => Promise<T>): Promise<T> {
  try {
    return await attempt({});
  } catch (error) {
    if (!asksForCode(error)) throw error;
    return ask(attempt, error);
  }
}

const asksForCode = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.code === "code_required";

function ask<T>(attempt: (proof: Proof) => Promise<T>, refusal: ApiProblem): Promise<T> {
  codeRequest.get()?.cancel();
  return new Promise((resolve, reject) => {
    let challenge = String(refusal.details["challenge"]);
    const change = (patch: Partial<CodeRequest>) => {
      const shown = codeRequest.get();
      if (shown) codeRequest.set({ ...shown, ...patch });
    };
    const close = () => codeRequest.set(null);
    const again = (next: ApiProblem) => {
      challenge = String(next.details["challenge"]);
      const sent = (codeRequest.get()?.sent ?? 0) + 1;
      change({ sentTo: String(next.details["sentTo"]), sent, error: null });
    };
    const mend = (error: unknown): boolean => {
      if (asksForCode(error)) again(error);
      else if (error instanceof ApiProblem && mendable.has(error.code)) {
        change({ error: error.message });
      } else return false;
      return true;
    };
    const attemptWith = async (proof: Proof) => {
      if (codeRequest.get()?.busy) return;
      change({ busy: true, error: null });
      const outcome = attempt(proof);
      const mended = await outcome.then(
        () => false,
        (error: unknown) => mend(error),
      );
      change({ busy: false });
      if (mended) return;
      close();
      resolve(outcome);
    };
    codeRequest.set({
      sentTo: String(refusal.details["sentTo"]),
      error: null,
      busy: false,
      sent: 1,
      submit: (code) => attemptWith({ challenge, code }),
      resend: () => attemptWith({}),
      cancel: () => {
        close();
        reject(new CodeAbandoned());
      },
    });
  });
}
