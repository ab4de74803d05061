// Subscriptions of cards: the formulas, the application filled in step by step, its price explained, its
// payment, and what runs on a card (spec §2 Abonnement_user, §3 dateRenew, subExp, isc).
import * as z from "zod/mini";
import * as checkout from "../checkout/rows.ts";
import { document } from "../documents/rows.ts";
import * as c from "../endpoint.ts";
import { subscriptions as limits } from "../limits.ts";
import { subscriptionProofKinds, subscriptionStates } from "./states.ts";

/** The steps that an application records; choosing the formula creates it. */
export const applicationSteps = ["holder", "options", "price"] as const;

const code = c.text(40, 1);

const line = z.object({
  kind: z.enum(["formula", "prorata", "discount", "option"]),
  label: z.string(),
  /** Signed: what reduces the price is negative. */
  amountCents: c.cents,
  /** French sentence: why this line. */
  why: z.string(),
});
export type PriceLine = z.output<typeof line>;

const quote = z.object({
  lines: z.array(line),
  totalCents: c.cents,
  startsOn: c.day,
  endsOn: c.day,
});
export type Quote = z.output<typeof quote>;

const condition = z.object({
  kind: z.enum(["age", "student", "quotient"]),
  /** `to_prove`: nothing is known yet, a proof will say. */
  met: z.enum(["yes", "no", "to_prove"]),
  says: z.string(),
});
export type Condition = z.output<typeof condition>;

const holder = z.object({ cardnumber: c.cardnumber, name: z.string(), own: z.boolean() });

const option = z.object({
  code: z.string(),
  name: z.string(),
  summary: z.string(),
  priceCents: c.cents,
});

const offered = z.object({
  code: z.string(),
  name: z.string(),
  summary: z.string(),
  opens: z.array(z.string()),
  /** Whether this card may have it: no condition is known to fail. */
  open: z.boolean(),
  conditions: z.array(condition),
  proofs: z.array(z.enum(subscriptionProofKinds)),
  /** Names of the children whose cards it would cover too. */
  covers: z.array(z.string()),
  quote,
});
export type OfferedFormula = z.output<typeof offered>;

const proof = z.object({
  kind: z.enum(subscriptionProofKinds),
  /** The file given, null while it is missing. */
  document: z.nullable(document),
});

const application = z.object({
  id: c.uuid,
  state: z.enum(subscriptionStates),
  step: z.enum(applicationSteps),
  /** Grows with every change; `pay` names the one that was read. */
  revision: z.int(),
  holder,
  formula: z.object({ code: z.string(), name: z.string(), summary: z.string() }),
  conditions: z.array(condition),
  proofs: z.array(proof),
  options: z.array(option),
  chosen: z.array(z.string()),
  covers: z.array(z.string()),
  /** Of today while the application is open, as it was paid afterwards. */
  quote,
  /** French sentence when the formula's price is no longer the one it was chosen at. */
  priceChange: z.nullable(z.string()),
  /** The caller's own payment at the provider that is under way, to follow by its top-up. */
  payment: checkout.payment,
  /** Why the last payment failed, until another one is tried. */
  paymentFailed: z.nullable(z.string()),
  paidAt: z.nullable(c.instant),
  /** Whether the reader sees what was paid, with its receipt, and cancels it. */
  payer: z.boolean(),
  reason: z.nullable(z.string()),
});
export type SubscriptionApplication = z.output<typeof application>;

const held = z.object({
  id: c.uuid,
  state: z.enum(subscriptionStates),
  formula: z.string(),
  options: z.array(z.string()),
  startsOn: c.day,
  endsOn: c.day,
  /** It begins after today. */
  upcoming: z.boolean(),
  /**
   * Whether the reader bought it, or the card's own wallet paid: else price, receipt and cancelling are the
   * payer's.
   */
  payer: z.boolean(),
  /** 0 where somebody else paid. */
  paidCents: c.cents,
  paidAt: c.instant,
  /** Names of everybody whose card it covers, the holder first; of another's, who and this card. */
  covers: z.array(z.string()),
  /** False when this card is only covered by somebody else's: theirs to renew or to cancel. */
  own: z.boolean(),
  /** Last day on which it can be cancelled and refunded in full, null when it cannot. */
  cancelUntil: z.nullable(c.day),
  reason: z.nullable(z.string()),
});
export type HeldSubscription = z.output<typeof held>;

const onCard = z.object({ cardnumber: c.cardnumberInPath });
const one = { id: c.uuid };
const filling = [
  "subscription_closed",
  "subscription_too_early",
  "subscription_conditions",
  "subscription_unknown",
] as const;

export const subscriptions = {
  list: c.row({
    method: "GET",
    path: "/api/subscriptions",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["subscriptions", "person"],
    summary: "What runs on a card, the open application, and those of before",
    source: "spec §2 Abonnement_user, §3 dateRenew, subExp, isc",
    input: onCard,
    output: z.object({
      holder,
      /** Last day of what runs, renewals included; null without any. */
      endsOn: z.nullable(c.day),
      /** From this day on it can be prolonged; null at once. */
      renewFrom: z.nullable(c.day),
      /** The application being filled in or in review, null when there is none. */
      open: z.nullable(
        z.object({
          id: c.uuid,
          state: z.enum(subscriptionStates),
          formula: z.string(),
          changedAt: c.instant,
          /** Null until it is paid. */
          paidAt: z.nullable(c.instant),
        }),
      ),
      items: z.array(held),
    }),
    problems: [],
  }),
  offer: c.row({
    method: "GET",
    path: "/api/subscriptions/offer",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["subscriptions", "person", "family"],
    summary: "The formulas as they are for a card today: price, conditions, proofs",
    source: "spec §2 Abonnement_user",
    input: onCard,
    output: z.object({ holder, formulas: z.array(offered) }),
    problems: [],
  }),
  choose: c.row({
    method: "POST",
    path: "/api/subscriptions",
    access: "holder",
    of: { cardnumber: "card" },
    changes: ["subscriptions"],
    summary:
      "Chooses the formula of a card: opens its application, or changes the one that is open",
    source: "spec §2 Abonnement_user",
    input: z.object({ cardnumber: c.cardnumber, formula: code }),
    output: application,
    status: 201,
    problems: [...filling, "order_payment_pending"],
  }),
  read: c.row({
    method: "GET",
    path: "/api/subscriptions/:id",
    access: "holder",
    of: { id: "subscription" },
    reads: ["subscriptions", "person"],
    summary: "An application with its step, its proofs and its price explained",
    source: "spec §2 Abonnement_user; spec.md 7",
    input: z.object(one),
    output: application,
    problems: [],
  }),
  addProof: c.row({
    method: "POST",
    path: "/api/subscriptions/:id/proofs",
    access: "holder",
    of: { id: "subscription", document: "document" },
    changes: ["subscriptions"],
    summary: "Gives an uploaded document as one of the proofs; the one before it goes",
    source: "spec §2 Abonnement_user",
    input: z.object({ ...one, kind: z.enum(subscriptionProofKinds), document: c.uuid }),
    output: application,
    problems: ["subscription_closed", "document_attached"],
  }),
  removeProof: c.row({
    method: "POST",
    path: "/api/subscriptions/:id/proofs/:kind/remove",
    access: "holder",
    of: { id: "subscription", kind: "anyone" },
    changes: ["subscriptions"],
    summary: "Removes a proof; its document is deleted",
    source: "spec §2 Abonnement_user",
    input: z.object({ ...one, kind: z.enum(subscriptionProofKinds) }),
    output: application,
    problems: ["subscription_closed"],
  }),
  confirmHolder: c.row({
    method: "POST",
    path: "/api/subscriptions/:id/holder",
    access: "holder",
    of: { id: "subscription" },
    changes: ["subscriptions"],
    summary: "The holder and the proofs are right: on to the options",
    source: "spec §2 Abonnement_user",
    input: z.object(one),
    output: application,
    problems: ["subscription_closed", "subscription_proofs"],
  }),
  chooseOptions: c.row({
    method: "POST",
    path: "/api/subscriptions/:id/options",
    access: "holder",
    of: { id: "subscription" },
    changes: ["subscriptions"],
    summary: "Chooses the options: on to the price",
    source: "spec §2 Abonnement_user",
    input: z.object({
      ...one,
      options: z.array(code).check(z.maxLength(limits.maxOptions)),
    }),
    output: application,
    problems: [
      "subscription_closed",
      "subscription_unknown",
      "subscription_proofs",
      "order_payment_pending",
    ],
  }),
  pay: c.row({
    method: "POST",
    path: "/api/subscriptions/:id/pay",
    access: "holder",
    of: { id: "subscription", objectID: "wallet" },
    changes: ["subscriptions", "wallets", "top_ups", "money_proof"],
    summary: "Pays an application from a main wallet, or starts its payment at the provider",
    source: "spec §2 Abonnement_user; spec.md 14, 15 and 17",
    input: z.object({
      ...one,
      revision: checkout.orderRevision,
      ...checkout.paying,
    }),
    output: application,
    problems: [
      "subscription_closed",
      "subscription_too_early",
      "subscription_conditions",
      "subscription_proofs",
      ...checkout.checkoutProblems,
    ],
  }),
  abandon: c.row({
    method: "POST",
    path: "/api/subscriptions/:id/abandon",
    access: "holder",
    of: { id: "subscription" },
    changes: ["subscriptions"],
    summary: "Abandons an unpaid application; its proofs are deleted",
    source: "server/subscriptions/README.md#files-and-documents",
    input: z.object(one),
    output: c.messageAnswer,
    problems: ["subscription_closed"],
  }),
  cancel: c.row({
    method: "POST",
    path: "/api/subscriptions/:id/cancel",
    access: "holder",
    of: { id: "subscription" },
    changes: ["subscriptions", "wallets"],
    summary: "Cancels within 14 days of the payment; the whole goes back to the wallet",
    source: "server/subscriptions/README.md#payment-and-cancelling",
    input: z.object(one),
    output: c.messageAnswer,
    problems: ["subscription_final", "subscription_followed"],
  }),
  receipt: c.row({
    method: "GET",
    path: "/api/subscriptions/:id/receipt.pdf",
    access: "holder",
    of: { id: "subscription" },
    summary: "Receipt of a paid subscription as a tagged PDF",
    source: "server/subscriptions/README.md#payment-and-cancelling",
    input: z.object(one),
    output: c.document,
    reply: "pdf",
    rate: { max: 30, seconds: 60 },
    problems: ["subscription_unpaid"],
  }),
} as const;
