// The request that the dialog of the step-up shows, and what the person gives in answer.
import type { Assertion } from "#contract/identity/assertion.ts";
import type { Channel } from "#contract/notifications/kinds.ts";
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
  /** Has no code sent where a passkey will do. */
  preferPasskey?: true;
}

/** Which field an error is about; `form` when it is about none. */
export type Place = "code" | "password" | "form";

/** What the dialog is busy with: trying what was typed, or a passkey, or having a code sent. */
export type Busy = "typed" | "passkey" | "sending";

/** What the dialog shows and may do while a proof is waited for. */
export interface CodeRequest {
  /** The act and its amount, « Envoyer 80,00 € à Léo Moreau »; null where the server does not name it. */
  title: string | null;
  /** The amount in the title, in cents; null where it has none. */
  amountCents: number | null;
  /** What the proof opens for the payments that follow in this session; null where it opens nothing. */
  opens: { minutes: number; cents: number } | null;
  /** The masked address that the code went to, "" when none was sent: a passkey will do. */
  sentTo: string;
  /** The masked address that a code can be sent to while none was, "" when there is none. */
  codeTo: string;
  channel: Channel | null;
  /** When the code is worth nothing any more, an instant. */
  expiresAt: string;
  /** Whether the password is asked beside the code. */
  password: boolean;
  /** Whether a passkey will do, and in place of what. */
  passkey: "no" | "password" | "all";
  error: { text: string; place: Place } | null;
  busy: Busy | null;
  /** How many codes were sent, 0 while a passkey will do: the typed digits are cleared at each. */
  sent: number;
  submit: (input: ProofInput) => Promise<void>;
  /** Asks the browser for a passkey, then submits with it. */
  signAndSubmit: (input: ProofInput) => Promise<void>;
  /** Has a code sent, the first or another. */
  sendCode: () => Promise<void>;
  cancel: () => void;
}

/** The code that is waited for now, null when there is none. */
export const codeRequest = observed<CodeRequest | null>(null);

/** The person closed the dialog: nothing was done, and nothing needs to be said. */
export class CodeAbandoned extends Error {}

/** Whether a call was refused for want of a proof. */
export const asksForCode = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.code === "code_required";
