// The step-up has one form: a call refused with `code_required` is repeated with the challenge and what
// proves the person: the code received, the password where it is asked, or a passkey (spec.md 14 and
// 29). Screens write `withCode((proof) => call(…))`.
import { asksForCode, type Proof } from "./code-request.ts";
import { passkeysWork } from "./passkey-support.ts";

/** Makes the call; when it asks for a proof, asks the person and repeats it. */
export async function withCode<T>(attempt: (proof: Proof) => Promise<T>): Promise<T> {
  try {
    return await attempt(passkeysWork() ? { preferPasskey: true } : {});
  } catch (error) {
    if (!asksForCode(error)) throw error;
    const { askCode } = await import("./ask-code.ts");
    return await askCode(attempt, error);
  }
}
