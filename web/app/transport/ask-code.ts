// Asks the person for the proof that a refused call requires, and repeats the call; loaded with the first
// refusal.
import { ApiProblem } from "./api.ts";
import {
  asksForCode,
  CodeAbandoned,
  type CodeRequest,
  codeRequest,
  type Place,
  type Proof,
} from "./code-request.ts";
import { PasskeyAbandoned, passkeysWork, signWithPasskey } from "./passkeys.ts";

/** Errors that the dialog shows itself: the person can type again or ask for another code. */
const places = new Map<string, Place>([
  ["code_wrong", "code"],
  ["code_expired", "code"],
  ["code_sends_exhausted", "code"],
  ["wrong_password", "password"],
  ["password_required", "password"],
  ["login_locked", "password"],
  ["passkey_refused", "form"],
  ["no_answer", "form"],
  ["unavailable", "form"],
]);

/** The dialog's request, from the details of a refusal. */
function promptFrom({
  details,
}: ApiProblem): Pick<CodeRequest, "title" | "opens" | "sentTo" | "password" | "passkey"> {
  const { what, opensMinutes: minutes, opensCents: cents } = details;
  const offered = typeof details["passkeyChallenge"] === "string" && passkeysWork();
  return {
    title: typeof what === "string" && what !== "" ? what[0]?.toUpperCase() + what.slice(1) : null,
    opens: typeof minutes === "number" && typeof cents === "number" ? { minutes, cents } : null,
    sentTo: String(details["sentTo"]),
    password: details["password"] === true,
    passkey: offered ? (details["codeAlways"] === true ? "password" : "all") : "no",
  };
}

const requestOf = ({ details }: ApiProblem) => ({
  challenge: String(details["passkeyChallenge"]),
  rpId: String(details["passkeyRpId"]),
  userVerification: "required",
});

/** Shows the request; settles as the repeated call does, or with CodeAbandoned. */
export function askCode<T>(attempt: (proof: Proof) => Promise<T>, first: ApiProblem): Promise<T> {
  codeRequest.get()?.cancel();
  return new Promise((resolve, reject) => {
    let refusal = first;
    const change = (patch: Partial<CodeRequest>) => {
      const current = codeRequest.get();
      if (current) codeRequest.set({ ...current, ...patch });
    };
    const close = () => codeRequest.set(null);
    const mend = (error: unknown): boolean => {
      if (asksForCode(error)) {
        refusal = error;
        change({ ...promptFrom(error), sent: (codeRequest.get()?.sent ?? 0) + 1, error: null });
        return true;
      }
      const place = error instanceof ApiProblem ? places.get(error.code) : undefined;
      if (place) change({ error: { text: (error as ApiProblem).message, place } });
      return place !== undefined;
    };
    const attemptWith = async (proofOf: () => Promise<Proof>) => {
      if (codeRequest.get()?.busy) return;
      change({ busy: true, error: null });
      try {
        const outcome = await attempt(await proofOf());
        close();
        resolve(outcome);
      } catch (error) {
        change({ busy: false });
        if (error instanceof PasskeyAbandoned) {
          change({ error: { text: error.message, place: "form" } });
        } else if (!mend(error)) {
          close();
          reject(error);
        }
      }
    };
    const challengeOf = () => String(refusal.details["challenge"]);
    codeRequest.set({
      ...promptFrom(refusal),
      error: null,
      busy: false,
      sent: 1,
      submit: (input) => attemptWith(async () => ({ challenge: challengeOf(), ...input })),
      signAndSubmit: (input) =>
        attemptWith(async () => ({
          challenge: challengeOf(),
          ...input,
          passkey: await signWithPasskey(requestOf(refusal)),
        })),
      resend: () => attemptWith(async () => ({})),
      cancel: () => {
        close();
        reject(new CodeAbandoned());
      },
    });
  });
}
