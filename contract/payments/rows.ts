// Payments: top-ups and their states, the sandbox provider's own page, the signed webhooks of every
// provider.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

export const topUpStates = [
  "initiated",
  "authorized",
  "credited",
  "declined",
  "review",
  "refunded",
  "disputed",
] as const;
export type TopUpState = (typeof topUpStates)[number];

/** French names of the states as the followed return shows them. */
export const topUpStateNames: Readonly<Record<TopUpState, string>> = {
  initiated: "Commencée",
  authorized: "Autorisée",
  credited: "Créditée",
  declined: "Refusée",
  review: "À vérifier",
  refunded: "Remboursée",
  disputed: "En litige",
};

/**
 * A late success still credits a declined payment; dispute and refund exclude each other. A dispute that was
 * won is credited again, by an operator.
 */
export const topUpTransitions: Readonly<Record<TopUpState, readonly TopUpState[]>> = {
  initiated: ["authorized", "credited", "declined", "review"],
  authorized: ["credited", "declined", "review"],
  declined: ["credited", "review"],
  review: ["credited", "declined", "refunded"],
  credited: ["refunded", "disputed"],
  refunded: [],
  disputed: ["credited"],
};

export const topUpCan = {
  /** Nothing more is expected of the provider: the page stops asking. */
  rest: (topUp: { state: TopUpState }) => !["initiated", "authorized"].includes(topUp.state),
  receipt: (topUp: { state: TopUpState }) => topUp.state === "credited",
  pay: (topUp: { state: TopUpState }) => topUp.state === "initiated",
};

/** Orders that a payment at the provider can settle, besides crediting a wallet. */
export const orderKinds = [
  "subscription",
  "pass",
  "tickets",
  "meals",
  "invoice",
  "pro_cards",
  "grants",
] as const;
export type OrderKind = (typeof orderKinds)[number];

/** What `placeOrderPayment` can refuse: rows that pay an order list these among their problems. */
export const orderPaymentProblems = [
  "amount_too_small",
  "wallet_frozen",
  "card_suspended",
  "card_opposed",
  "card_state",
  "limit_day",
  "limit_week",
  "limit_place",
  "order_payment_pending",
  "idempotency_mismatch",
  "payment_provider_down",
  "payments_off",
] as const;

export const sandboxOutcomes = [
  "success",
  "declined",
  "challenge",
  "pending",
  "late",
  "duplicate",
  "dispute",
  "refuse_later",
] as const;
export type SandboxOutcome = (typeof sandboxOutcomes)[number];

export const topUp = z.object({
  id: c.uuid,
  state: z.enum(topUpStates),
  amountCents: c.cents,
  wallet: z.object({ objectID: c.uuid, name: z.string(), slug: z.string(), idgroup: z.int() }),
  /** Whether its wallet is frozen. */
  frozen: z.boolean(),
  createdAt: c.instant,
  /** Where to pay while the state is `initiated`, else null. */
  paymentUrl: z.nullable(z.string()),
  /** French sentence on the reason of a refusal, else null. */
  reason: z.nullable(z.string()),
  /** The order that it pays; `outcome` is null until the money came. Null for a plain top-up. */
  order: z.nullable(
    z.object({
      kind: z.enum(orderKinds),
      id: c.uuid,
      label: z.string(),
      /** Path of the portal that shows it. */
      path: z.string(),
      outcome: z.nullable(z.enum(["settled", "unapplied"])),
    }),
  ),
  /** Amounts held in wallets for the order besides `amountCents`, while the payment is under way. */
  holds: z.array(z.object({ objectID: c.uuid, name: z.string(), amountCents: c.cents })),
  /** The part that the holder owes: it was spent, then taken back by the bank. */
  owedCents: c.cents,
});
export type TopUp = z.output<typeof topUp>;

export const payments = {
  startTopUp: c.row({
    method: "POST",
    path: "/api/wallets/:objectID/top-ups",
    access: "person",
    of: { objectID: "wallet", paymentMethod: "paymentMethod" },
    changes: ["top_ups", "payment_methods", "money_proof"],
    summary:
      "Starts a top-up and tells where to pay, or charges a kept payment method: nothing is to be paid " +
      "then; an Idempotency-Key is honoured",
    source: "spec §2 recharge_cagnotte; spec.md 14 and 15",
    input: z.object({
      objectID: c.uuid,
      amountCents: c.amountCents,
      /** One of the caller's own; absent, it is paid on the provider's page. */
      paymentMethod: z.optional(c.uuid),
      /** Whether the provider saves the payment method for the next time. */
      keep: z.optional(z.boolean()),
      ...c.stepUp,
    }),
    output: z.object({
      id: c.uuid,
      state: z.enum(topUpStates),
      amountCents: c.cents,
      paymentUrl: z.nullable(z.string()),
    }),
    status: 201,
    problems: [
      "amount_too_small",
      "amount_too_large",
      "wallet_cap",
      "top_ups_started",
      "wallet_frozen",
      "idempotency_mismatch",
      "payment_provider_down",
      "payments_off",
      "payment_method_gone",
      "family_minor",
      ...c.stepUpProblems,
    ],
  }),
  methods: c.row({
    method: "GET",
    path: "/api/payment-methods",
    access: "person",
    of: "self",
    reads: ["payment_methods"],
    summary: "The payment methods that the provider keeps for the caller, the newest first",
    source: "server/payments/README.md#top-ups",
    input: z.object({}),
    output: z.object({
      items: z.array(z.object({ id: c.uuid, label: z.string() })),
      /** False for whoever has a guardian. */
      mayKeep: z.boolean(),
    }),
    problems: [],
  }),
  topUps: c.row({
    method: "GET",
    path: "/api/wallets/:objectID/top-ups",
    access: "person",
    of: { objectID: "wallet" },
    reads: ["top_ups", "family"],
    summary: "The latest top-ups of a wallet, newest first",
    source: "server/payments/README.md#top-ups",
    input: z.object({ objectID: c.uuid }),
    output: z.object({
      items: z.array(topUp),
      /** Amount owed over all top-ups of the wallet, those that are not listed too. */
      owedCents: c.cents,
    }),
    problems: [],
  }),
  topUp: c.row({
    method: "GET",
    path: "/api/top-ups/:id",
    access: "person",
    of: { id: "topUp" },
    reads: ["top_ups"],
    summary: "The state of a top-up, for the followed return",
    source: "server/payments/README.md#top-ups",
    input: z.object({ id: c.uuid }),
    output: topUp,
    problems: [],
  }),
  receipt: c.row({
    method: "GET",
    path: "/api/top-ups/:id/receipt.pdf",
    access: "person",
    of: { id: "topUp" },
    summary: "Receipt of a credited top-up as a tagged PDF",
    source: "server/payments/README.md#top-ups",
    input: z.object({ id: c.uuid }),
    output: c.document,
    reply: "pdf",
    rate: { max: 30, seconds: 60 },
    problems: ["receipt_not_ready"],
  }),
  sandboxPage: c.row({
    method: "GET",
    path: "/paiement/sandbox/:id",
    access: "public",
    of: { id: "secret" },
    summary: "The sandbox provider's payment page; the id cannot be guessed",
    source: "server/payments/README.md#fictitious-payments",
    input: z.object({ id: c.uuid }),
    output: c.document,
    reply: "html",
    problems: [],
  }),
  sandboxPay: c.row({
    method: "POST",
    path: "/paiement/sandbox/:id",
    access: "public",
    of: { id: "secret" },
    summary: "Plays an outcome on the payment page, then sends the browser back",
    source: "server/payments/README.md#fictitious-payments",
    input: z.object({
      id: c.uuid,
      outcome: z.enum(sandboxOutcomes),
      keep: z.optional(z.literal("1")),
    }),
    output: c.document,
    reply: "html",
    problems: ["payment_finished"],
  }),
  webhook: c.row({
    method: "POST",
    path: "/api/payments/:provider/webhooks",
    access: "public",
    of: { provider: "anyone" },
    summary: "A provider tells an event: raw body signed by HMAC, ±5 min, each event once",
    source: "server/payments/README.md#chargebacks-and-late-news",
    input: z.object({ provider: z.enum(["sandbox", "stripe"]) }),
    output: z.object({ received: z.boolean() }),
    problems: ["webhook_signature"],
  }),
} as const;
