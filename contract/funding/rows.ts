// Funding: alerts on a low balance, automatic top-ups from a saved payment method, gift links by which
// relatives top a wallet up without an account.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { funding as limits } from "../limits.ts";
import { giftWordMax } from "./names.ts";

export const ruleStates = ["waiting", "active", "paused"] as const;
export type RuleState = (typeof ruleStates)[number];

/**
 * Why a rule is paused: its payer's wish, refusals of the bank, no payment method any more, the wallet
 * itself.
 */
export const pauseReasons = ["person", "refused", "payment_method", "wallet"] as const;
export type PauseReason = (typeof pauseReasons)[number];

export const ruleCan = {
  pause: (rule: { state: RuleState }) => rule.state === "active",
  resume: (rule: { state: RuleState; pausedWhy: PauseReason | null }) =>
    rule.state === "paused" && rule.pausedWhy !== "payment_method",
  /** A first payment, whose payment method is saved, makes it run. */
  pay: (rule: { state: RuleState; pausedWhy: PauseReason | null }) =>
    rule.state === "waiting" || rule.pausedWhy === "payment_method",
  /** Another saved payment method makes it run too, except where its payer or the wallet keeps it paused. */
  changeMethod: (rule: { state: RuleState; pausedWhy: PauseReason | null }) =>
    rule.pausedWhy !== "person" && rule.pausedWhy !== "wallet",
};

const cents = z.number().check(z.int(), z.minimum(1), z.maximum(limits.maxCents));
const day = z.number().check(z.int(), z.minimum(1), z.maximum(28));

const when = z.discriminatedUnion("trigger", [
  z.object({ trigger: z.literal("threshold"), thresholdCents: cents }),
  z.object({ trigger: z.literal("day"), day }),
]);

export const rule = z.object({
  id: c.uuid,
  when,
  /** A fixed amount, or what is missing to reach a target. */
  mode: z.enum(["amount", "target"]),
  amountCents: c.cents,
  monthlyCents: c.cents,
  /** Amount that it has paid in this month, payments under way included. */
  spentCents: c.cents,
  state: z.enum(ruleStates),
  pausedWhy: z.nullable(z.enum(pauseReasons)),
  /** Name of the payment method that is charged, for its payer; null until one is saved. */
  paymentMethod: z.nullable(z.string()),
  paymentMethodId: z.nullable(c.uuid),
  /** Whether the caller pays: only they resume it. */
  paidByMe: z.boolean(),
  payerName: z.string(),
  /** Its latest payment that was to keep a payment method; null where none was asked for. */
  firstPayment: z.nullable(c.uuid),
  /** When it tries again after a refusal, else null. */
  nextTryAt: z.nullable(c.instant),
  /** The day of its next payment, for a monthly one. */
  nextOn: z.nullable(c.day),
});
export type Rule = z.output<typeof rule>;

export const linkStates = ["open", "expired", "revoked", "used"] as const;
export type LinkState = (typeof linkStates)[number];

export const giftLink = z.object({
  id: c.uuid,
  displayName: z.string(),
  word: z.nullable(z.string()),
  thanks: z.nullable(z.string()),
  maxEachCents: c.cents,
  maxTotalCents: c.cents,
  maxCount: z.int(),
  receivedCents: c.cents,
  receivedCount: z.int(),
  expiresAt: c.instant,
  createdAt: c.instant,
  state: z.enum(linkStates),
});
export type GiftLink = z.output<typeof giftLink>;

export const automations = z.object({
  alert: z.nullable(z.object({ thresholdCents: c.cents, email: z.boolean(), sms: z.boolean() })),
  /** Where alerts can reach the caller outside the portal, masked; null where nowhere. */
  email: z.nullable(z.string()),
  sms: z.nullable(z.string()),
  rules: z.array(rule),
  paymentMethods: z.array(z.object({ id: c.uuid, label: z.string(), savedAt: c.instant })),
  links: z.array(giftLink),
  /** False for whoever has a guardian: automatic top-ups and links are the guardian's. */
  mayAutomate: z.boolean(),
  /** False where top-ups are closed. */
  open: z.boolean(),
  sandbox: z.boolean(),
});
export type Automations = z.output<typeof automations>;

const started = z.object({
  id: c.uuid,
  /** The first payment, to be followed; null when a saved payment method is used. */
  topUp: z.nullable(c.uuid),
  paymentUrl: z.nullable(z.string()),
});

export const fundings = {
  automations: c.row({
    method: "GET",
    path: "/api/wallets/:objectID/automations",
    access: "person",
    of: { objectID: "wallet" },
    reads: ["funding", "payment_methods", "family"],
    summary: "Alert, automatic top-ups, kept payment method and links of a wallet",
    source: "server/funding/README.md#automatic-top-ups",
    input: z.object({ objectID: c.uuid }),
    output: automations,
    problems: [],
  }),
  setAlert: c.row({
    method: "POST",
    path: "/api/wallets/:objectID/alert",
    access: "person",
    of: { objectID: "wallet" },
    changes: ["funding"],
    summary: "Sets one's own alert on a low balance; null takes it away",
    source: "server/funding/README.md#balance-alerts",
    input: z.object({
      objectID: c.uuid,
      alert: z.nullable(z.object({ thresholdCents: cents, email: z.boolean(), sms: z.boolean() })),
    }),
    output: automations,
    rate: { max: 60, seconds: 3600 },
    problems: ["no_channel"],
  }),
  createRule: c.row({
    method: "POST",
    path: "/api/wallets/:objectID/rules",
    access: "person",
    of: { objectID: "wallet", paymentMethodId: "paymentMethod" },
    changes: ["funding", "payment_methods", "activity"],
    summary:
      "Allows automatic top-ups: from a kept payment method, or with a first payment that keeps one",
    source: "server/funding/README.md#automatic-top-ups; spec.md 14",
    input: z.object({
      objectID: c.uuid,
      when,
      mode: z.enum(["amount", "target"]),
      amountCents: cents,
      monthlyCents: cents,
      paymentMethodId: z.nullable(c.uuid),
      /** The consent whose words the screen shows. */
      consent: z.literal(true),
      ...c.stepUp,
    }),
    output: started,
    status: 201,
    problems: [
      "rule_exists",
      "rule_amount",
      "rule_ceiling",
      "amount_too_small",
      "amount_too_large",
      "wallet_cap",
      "top_ups_started",
      "wallet_frozen",
      "family_minor",
      "payment_provider_down",
      "payments_off",
      ...c.stepUpProblems,
    ],
  }),
  payRule: c.row({
    method: "POST",
    path: "/api/rules/:ruleId/payments",
    access: "person",
    of: { ruleId: "topUpRule", paymentMethodId: "paymentMethod" },
    changes: ["funding", "top_ups"],
    summary:
      "A first payment whose payment method is kept, or one that is kept already: what the rule charges",
    source: "server/funding/README.md#automatic-top-ups; spec.md 14",
    input: z.object({
      ruleId: c.uuid,
      /** Charged from now on, without a first payment; absent, that payment keeps one. */
      paymentMethodId: z.optional(c.uuid),
      ...c.stepUp,
    }),
    output: started,
    status: 201,
    problems: [
      ...c.stepUpProblems,
      "rule_not_yours",
      "rule_state",
      "wallet_cap",
      "top_ups_started",
      "wallet_frozen",
      "payment_provider_down",
      "payments_off",
    ],
  }),
  pauseRule: c.row({
    method: "POST",
    path: "/api/rules/:ruleId/pause",
    access: "person",
    of: { ruleId: "topUpRule" },
    changes: ["funding", "activity"],
    summary: "Stops automatic top-ups for as long as one wishes",
    source: "server/funding/README.md#automatic-top-ups",
    input: z.object({ ruleId: c.uuid }),
    output: c.messageAnswer,
    problems: ["rule_state", "family_minor"],
  }),
  resumeRule: c.row({
    method: "POST",
    path: "/api/rules/:ruleId/resume",
    access: "person",
    of: { ruleId: "topUpRule" },
    changes: ["funding", "activity"],
    summary: "Lets automatic top-ups run again; only who pays may",
    source: "server/funding/README.md#automatic-top-ups",
    input: z.object({ ruleId: c.uuid }),
    output: c.messageAnswer,
    problems: ["family_minor", "rule_state", "rule_not_yours"],
  }),
  deleteRule: c.row({
    method: "POST",
    path: "/api/rules/:ruleId/delete",
    access: "person",
    of: { ruleId: "topUpRule" },
    changes: ["funding", "activity"],
    summary: "Ends automatic top-ups for good",
    source: "server/funding/README.md#automatic-top-ups",
    input: z.object({ ruleId: c.uuid }),
    output: c.messageAnswer,
    problems: ["family_minor"],
  }),
  forgetPaymentMethod: c.row({
    method: "POST",
    path: "/api/payment-methods/:paymentMethodId/forget",
    access: "person",
    of: { paymentMethodId: "paymentMethod" },
    changes: ["funding", "payment_methods", "activity"],
    summary: "Forgets a kept payment method; the rules that charge it rest",
    source: "server/payments/README.md#top-ups",
    input: z.object({ paymentMethodId: c.uuid }),
    output: c.messageAnswer,
    problems: [],
  }),
  createLink: c.row({
    method: "POST",
    path: "/api/wallets/:objectID/links",
    access: "person",
    of: { objectID: "wallet" },
    changes: ["funding", "activity"],
    summary: "Makes a link by which relatives top the wallet up; its address is told once",
    source: "server/funding/README.md#gift-links",
    input: z.object({
      objectID: c.uuid,
      displayName: c.text(40, 1),
      /** Read at the head of the page, and once the money has arrived. */
      word: z.optional(c.text(giftWordMax, 1)),
      thanks: z.optional(c.text(giftWordMax, 1)),
      maxEachCents: cents,
      maxTotalCents: cents,
      maxCount: z.number().check(z.int(), z.minimum(1), z.maximum(limits.linkPayments)),
      days: z.number().check(z.int(), z.minimum(1), z.maximum(limits.linkDays)),
    }),
    output: z.object({ link: giftLink, address: z.string() }),
    status: 201,
    problems: [
      "gift_name",
      "gift_word",
      "link_amounts",
      "link_full",
      "wallet_frozen",
      "family_minor",
      "payments_off",
    ],
  }),
  revokeLink: c.row({
    method: "POST",
    path: "/api/links/:linkId/revoke",
    access: "person",
    of: { linkId: "giftLink" },
    changes: ["funding", "activity"],
    summary: "Ends a link at once",
    source: "server/funding/README.md#gift-links",
    input: z.object({ linkId: c.uuid }),
    output: c.messageAnswer,
    problems: ["family_minor"],
  }),
} as const;
