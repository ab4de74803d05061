// The request that the dialog of the step-up shows, and what the person gives in answer.
import type { Assertion } from "#contract/identity/assertion.ts";
import { ApiProblem } from "./api.ts";
import { observed } from "./observed.ts";

/** The proof that the person gives in the dialog. */
export interface ProofInput {
  code?: string;
  password?: string;
  passkey?: Assertion;
}

export interface Proof extends ProofInput {
  challenge?: string;
}

/** Which field an error is about; `form` when it is about none. */
export type Place = "code" | "password" | "form";

/** What the dialog shows and may do while a code is waited for. */
export interface CodeRequest {
  /** The act and its amount, « Envoyer 80,00 € à Léo Moreau »; null where the server does not name it. */
  title: string | null;
  /** What the proof opens for the payments that follow in this session; null where it opens nothing. */
  opens: { minutes: number; cents: number } | null;
  /** The masked address that the code went to, "" when none was sent: a passkey will do. */
  sentTo: string;
  /** Whether the password is asked beside the code. */
  password: boolean;
  /** Whether a passkey will do, and in place of what. */
  passkey: "no" | "password" | "all";
  error: { text: string; place: Place } | null;
  busy: boolean;
  /** How many codes were sent: the typed digits are cleared at each. */
  sent: number;
  submit: (input: ProofInput) => Promise<void>;
  /** Asks the browser for a passkey, then submits with it. */
  signAndSubmit: (input: ProofInput) => Promise<void>;
  resend: () => Promise<void>;
  cancel: () => void;
}

/** The code that is waited for now, null when there is none. */
export const codeRequest = observed<CodeRequest | null>(null);

/** The person closed the dialog: nothing was done, and nothing needs to be said. */
export class CodeAbandoned extends Error {}

/** Whether a call was refused for want of a proof. */
export const asksForCode = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.code === "code_required";
