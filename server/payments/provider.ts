// What every payment provider must be able to do; the sandbox and Stripe fill it.
import type { IncomingHttpHeaders } from "node:http";

export type ProviderName = "sandbox" | "stripe";

export type ChargeState =
  | "open"
  | "pending"
  | "succeeded"
  | "declined"
  | "expired"
  | "disputed"
  | "refunded";

export interface Charge {
  /** The provider's own name of the charge. */
  ref: string;
  /** Ours: the id of the top-up, told to the provider when it started. */
  reference: string;
  amountCents: number;
  state: ChargeState;
  /** All that was given back so far, or is contested; absent, it is the whole. */
  takenCents?: number | undefined;
}

export const eventTypes = [
  "charge.authorized",
  "charge.succeeded",
  "charge.declined",
  "charge.expired",
  "charge.refunded",
  "charge.disputed",
] as const;
export type EventType = (typeof eventTypes)[number];

export interface ProviderEvent {
  /** Unique at the provider: the same event told again bears the same id. */
  id: string;
  type: EventType;
  charge: Charge;
}

/** Signed news that moves no top-up: of no concern, or `forPerson` when somebody must look. */
export interface OtherNews {
  id: string;
  type: "other";
  /** The provider's own word for it. */
  told: string;
  /** The provider's name of what it is about, "" when it has none. */
  about: string;
  forPerson: boolean;
}

export interface NewCharge {
  reference: string;
  amountCents: number;
  /** What is paid, shown on the payment page; null for a plain top-up. */
  label: string | null;
  /** Whether the page asks to keep the payment method, for charges without anybody there. */
  keep: boolean;
  /** Path of the portal to which the browser returns. */
  returnPath: string;
}

/** A payment method in the provider's own names, with the words by which a person knows it. */
export interface SavedPaymentMethod {
  ref: string;
  customer: string | null;
  label: string;
}

export interface Provider {
  name: ProviderName;
  /**
   * Opens a charge and tells where to pay it: a path of the portal or a whole address. Called outside
   * any transaction, and again with the same `reference` when the first answer was lost: it must then
   * answer the same charge.
   */
  start(input: NewCharge): Promise<{ ref: string; path: string }>;
  /**
   * How a charge stands in the provider's books; null when it knows none. `ref` is null when lost; `alone`:
   * it was made from a kept payment method, so that the money may be gone although nobody saw a page.
   */
  ask(charge: {
    reference: string;
    ref: string | null;
    offSession: boolean;
  }): Promise<Charge | null>;
  /** Closes an open charge, so that it cannot be paid any more; throws when it is not open now. */
  close?(ref: string): Promise<void>;
  /** What was kept when this charge was paid; null when nothing was. */
  savedMethod(ref: string): Promise<SavedPaymentMethod | null>;
  /**
   * Charges a kept payment method without anybody there; asked again with the same `reference`, it
   * answers the same charge. A refusal is a charge that is declined; it throws when nobody answers.
   */
  charge(input: {
    reference: string;
    amountCents: number;
    paymentMethod: Pick<SavedPaymentMethod, "ref" | "customer">;
  }): Promise<Charge>;
  /** Forgets a kept payment method; one that is unknown already is forgotten. */
  forget?(ref: string): Promise<void>;
  /**
   * Gives a paid charge back, all of it or the first so many cents; the news of it comes as an event.
   * Asked twice, it counts once.
   */
  refund(ref: string, amountCents?: number): Promise<void>;
  /** Reads an event out of a webhook; throws `webhook_signature` unless the provider sent it, now. */
  verify(rawBody: Buffer | null, headers: IncomingHttpHeaders): Promise<ProviderEvent | OtherNews>;
}
