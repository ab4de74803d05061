// Interface of a payment provider; the sandbox and Stripe implement it.
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
  /** The provider's id of the charge. */
  ref: string;
  /** Our reference: the id of the top-up, sent to the provider at the start. */
  reference: string;
  amountCents: number;
  state: ChargeState;
  /** Total refunded so far, or disputed; absent, it is the whole amount. */
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
  /** Unique at the provider: the same event sent again has the same id. */
  id: string;
  type: EventType;
  charge: Charge;
}

/** A signed event that changes no top-up: irrelevant, or `forPerson` when somebody must look at it. */
export interface OtherNews {
  id: string;
  type: "other";
  /** The provider's own name of the event. */
  eventName: string;
  /** The provider's id of its subject, "" when it has none. */
  about: string;
  forPerson: boolean;
}

export interface NewCharge {
  reference: string;
  amountCents: number;
  /** Label of the purchase, shown on the payment page; null for a plain top-up. */
  label: string | null;
  /** Whether the page asks to save the payment method, for off-session charges. */
  keep: boolean;
  /** Path of the portal to which the browser returns. */
  returnPath: string;
}

/** A payment method with the provider's ids, and the label by which a person recognises it. */
export interface SavedPaymentMethod {
  ref: string;
  customer: string | null;
  label: string;
}

export interface Provider {
  name: ProviderName;
  /**
   * Opens a charge and gives where to pay it: a path of the portal or a whole address. Called outside any
   * transaction, and again with the same `reference` when the first answer was lost: it must then answer the
   * same charge.
   */
  start(input: NewCharge): Promise<{ ref: string; path: string }>;
  /**
   * The state of a charge at the provider; null when it knows none. `ref` is null when lost; `offSession`: it
   * was made from a saved payment method without anybody present, so that the money may be gone although
   * nobody saw a page.
   */
  ask(charge: {
    reference: string;
    ref: string | null;
    offSession: boolean;
  }): Promise<Charge | null>;
  /** Closes an open charge, so that it cannot be paid any more; throws when it is not open now. */
  close?(ref: string): Promise<void>;
  /** The payment method saved when this charge was paid; null when none was. */
  savedMethod(ref: string): Promise<SavedPaymentMethod | null>;
  /**
   * Charges a saved payment method off-session; called again with the same `reference`, it answers the same
   * charge. A refusal is a declined charge; it throws when the provider does not answer.
   */
  charge(input: {
    reference: string;
    amountCents: number;
    paymentMethod: Pick<SavedPaymentMethod, "ref" | "customer">;
  }): Promise<Charge>;
  /** Deletes a saved payment method; one that is unknown counts as deleted. */
  forget?(ref: string): Promise<void>;
  /**
   * Refunds a paid charge, all of it or so many cents; the refund is announced by an event. Called twice, it
   * counts once.
   */
  refund(ref: string, amountCents?: number): Promise<void>;
  /** Reads an event out of a webhook; throws `webhook_signature` unless the provider sent it, now. */
  verify(rawBody: Buffer | null, headers: IncomingHttpHeaders): Promise<ProviderEvent | OtherNews>;
}
