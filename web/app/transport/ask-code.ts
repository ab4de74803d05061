// Asks the person for the proof that a refused call requires, and repeats the call; loaded with the first
// refusal.
import { capital } from "#contract/french.ts";
import { ApiProblem } from "./api.ts";
import {
  asksForCode,
  type Busy,
  CodeAbandoned,
  type CodeRequest,
  codeRequest,
  type Place,
  type Proof,
} from "./code-request.ts";
import { passkeysWork } from "./passkey-support.ts";
import { PasskeyAbandoned, signWithPasskey } from "./passkeys.ts";

/** Errors that the dialog shows itself: the person can type again or ask for another code. */
const places = new Map<string, Place>([
  ["code_wrong", "code"],
  ["code_expired", "code"],
  ["code_sends_exhausted", "code"],
  ["wrong_password", "password"],
  ["password_required", "password"],
  ["login_locked", "password"],
  ["passkey_refused", "form"],
  ["too_many_requests", "form"],
  ["no_answer", "form"],
  ["unavailable", "form"],
]);

const tooOld = "Cette demande a attendu trop longtemps. Confirmez de nouveau.";

/** Whether a passkey will do, and no code was sent for that reason. */
const holdsCode = ({ details }: ApiProblem): boolean => details["codeTo"] !== undefined;

type Prompt = Omit<
  CodeRequest,
  "error" | "busy" | "sent" | "submit" | "signAndSubmit" | "sendCode" | "cancel"
>;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The dialog's request, from the details of a refusal. */
function promptFrom({ details }: ApiProblem): Prompt {
  const { what, amountCents, opensMinutes: minutes, opensCents: cents, channel } = details;
  const offered = typeof details["passkeyChallenge"] === "string" && passkeysWork();
  return {
    title: typeof what === "string" && what !== "" ? capital(what) : null,
    amountCents: typeof amountCents === "number" ? amountCents : null,
    opens: typeof minutes === "number" && typeof cents === "number" ? { minutes, cents } : null,
    sentTo: textOf(details["sentTo"]),
    codeTo: textOf(details["codeTo"]),
    channel: channel === "email" || channel === "sms" ? channel : null,
    expiresAt: textOf(details["expiresAt"]),
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
    const finish = (outcome: T) => {
      close();
      resolve(outcome);
    };
    const renew = async () => {
      try {
        finish(await attempt({ preferPasskey: true }));
      } catch (error) {
        await mend(error);
        if (asksForCode(error)) change({ error: { text: tooOld, place: "form" } });
      }
    };
    const mend = async (error: unknown): Promise<void> => {
      if (error instanceof PasskeyAbandoned) {
        return change({ error: { text: error.message, place: "form" } });
      }
      if (asksForCode(error)) {
        refusal = error;
        const sent = (codeRequest.get()?.sent ?? 0) + (holdsCode(error) ? 0 : 1);
        return change({ ...promptFrom(error), sent, error: null });
      }
      const problem = error instanceof ApiProblem ? error : null;
      // No code was sent that could be asked for anew: the challenge of the passkey is.
      if (problem?.code === "code_expired" && holdsCode(refusal)) return await renew();
      const place = problem && places.get(problem.code);
      if (problem && place) return change({ error: { text: problem.message, place } });
      close();
      reject(error);
    };
    const attemptWith = async (busy: Busy, proofOf: () => Promise<Proof>) => {
      if (codeRequest.get()?.busy) return;
      change({ busy, error: null });
      try {
        finish(await attempt(await proofOf()));
      } catch (error) {
        await mend(error);
        change({ busy: null });
      }
    };
    const challengeOf = () => String(refusal.details["challenge"]);
    codeRequest.set({
      ...promptFrom(refusal),
      error: null,
      busy: null,
      sent: holdsCode(refusal) ? 0 : 1,
      submit: (input) => attemptWith("typed", async () => ({ challenge: challengeOf(), ...input })),
      signAndSubmit: (input) =>
        attemptWith("passkey", async () => ({
          challenge: challengeOf(),
          ...input,
          passkey: await signWithPasskey(requestOf(refusal)),
        })),
      sendCode: () => attemptWith("sending", async () => ({})),
      cancel: () => {
        close();
        reject(new CodeAbandoned());
      },
    });
  });
}
