// The till of a partner: a card is charged at the counter, by its QR or by its number once the holder has
// said yes; cancelled for a quarter of an hour, refunded later; the day is closed with its totals.
import * as z from "zod/mini";
import { spendProblems } from "../checkout/rows.ts";
import * as c from "../endpoint.ts";
import { till as limits } from "./limits.ts";
import { saleLine, saleLines } from "./lines.ts";
import { tillSaleStates } from "./states.ts";

const amount = z.int().check(z.minimum(limits.minCents), z.maximum(limits.maxCents));

/** A counter of the caller's company: a sheet of the directory. */
const counter = z.object({
  id: c.uuid,
  name: z.string(),
  /** Taken off every sale, in percent, by the terms in force; 0 without. */
  discountPercent: z.int(),
  /** Points for each euro paid, by the terms in force; 0 without. */
  pointsPerEuro: z.int(),
  /** Somebody has points to spend here. */
  takesPoints: z.boolean(),
  /** Why the operator froze it: it sells nothing, and its sales and its day stay; null while it sells. */
  frozenWhy: z.nullable(z.string()),
});
export type TillCounter = z.output<typeof counter>;

/** A sale as the till shows it: the holder's name only once they paid, never their balance. */
export const tillSale = z.object({
  id: c.uuid,
  partner: c.uuid,
  state: z.enum(tillSaleStates),
  /** What the goods cost, before the discount. */
  amountCents: c.cents,
  /** By the terms and by points, together. */
  discountCents: c.cents,
  /** Points that are part of the discount. */
  pointsUsed: z.int(),
  /** Points earned by the amount that stays paid, once it can no longer be cancelled. */
  pointsEarned: z.int(),
  /** What the wallet pays: the amount less the discount. */
  paidCents: c.cents,
  refundedCents: c.cents,
  label: z.nullable(z.string()),
  /** Its articles, as they were named and priced then; none where the whole amount was typed. */
  lines: z.array(saleLine),
  /** Who pays; null until they paid. */
  holder: z.nullable(z.string()),
  /** The last four digits of the card. */
  last4: z.string(),
  cashier: z.string(),
  /** When it was paid, or requested; of a sale without network, when it was made. */
  at: c.instant,
  /** Made without network, and paid once it was back. */
  offline: z.boolean(),
  /** Until when the holder may answer, while requested; until when it may be cancelled, once paid. */
  until: z.nullable(c.instant),
});
export type TillSale = z.output<typeof tillSale>;

/** A sale that waits for the holder's yes, or a guardian's. */
const request = z.object({
  id: c.uuid,
  state: z.enum(tillSaleStates),
  partner: z.string(),
  place: z.string(),
  amountCents: c.cents,
  discountCents: c.cents,
  pointsUsed: z.int(),
  pointsEarned: z.int(),
  paidCents: c.cents,
  label: z.nullable(z.string()),
  /** Whose card. */
  holder: z.string(),
  own: z.boolean(),
  until: c.instant,
});
export type TillRequest = z.output<typeof request>;

const sale = z.object({ sale: c.uuid });
const commonProblems = ["not_found"] as const;

export const till = {
  counters: c.row({
    method: "GET",
    path: "/api/till/counters",
    access: "professional",
    right: "anyRole",
    of: "company",
    reads: ["till", "company"],
    summary: "The counters of the caller's company, those frozen left out",
    source: "spec.md 21",
    input: c.emptyObject,
    output: z.object({ items: z.array(counter) }),
    problems: [],
  }),
  charge: c.row({
    method: "POST",
    path: "/api/till/sales",
    access: "professional",
    right: "charge",
    of: { id: "new", partner: "sheet", token: "secret", cardnumber: "number" },
    changes: ["till"],
    summary:
      "Charges a card by its QR at once, or asks the holder by number; the same id is one sale",
    source: "spec.md 21",
    input: z.object({
      /** Made by the till: repeated after a lost answer, it is one sale. */
      id: c.uuid,
      partner: c.uuid,
      amountCents: amount,
      label: z.optional(c.text(80, 1)),
      /** At the prices that the cashier saw. */
      lines: z.optional(saleLines),
      /** Takes the holder's points of this company off, as many as the price bears. */
      usePoints: z.optional(z.boolean()),
      /** Token of the card's QR; otherwise the number is given. */
      token: z.optional(c.text(300, 1)),
      cardnumber: z.optional(c.cardnumber),
    }),
    output: tillSale,
    // Somebody waits at the counter: without an answer by then the till offers to go on without network.
    timeoutMs: 10_000,
    rate: { max: 120, seconds: 60 },
    problems: [
      ...commonProblems,
      "till_frozen",
      "till_code",
      "till_code_used",
      "till_card",
      "till_funds",
      "till_limit",
      "till_own",
      "till_waiting",
      "till_often",
      "till_lines",
      "points_short",
      "idempotency_mismatch",
    ],
  }),
  sendCode: c.row({
    method: "POST",
    path: "/api/till/sales/:sale/code",
    access: "professional",
    right: "charge",
    of: { sale: "sale" },
    changes: ["till"],
    summary: "Sends the holder of a sale that waits a code to tell at the counter",
    source: "spec.md 21",
    input: sale,
    output: z.object({ challenge: c.uuid, channel: z.enum(["sms", "email"]) }),
    rate: { max: 20, seconds: 60 },
    problems: [
      ...commonProblems,
      "till_frozen",
      "till_state",
      "no_spoken_channel",
      "code_sends_exhausted",
    ],
  }),
  payByCode: c.row({
    method: "POST",
    path: "/api/till/sales/:sale/pay",
    access: "professional",
    right: "charge",
    of: { sale: "sale" },
    changes: ["till"],
    summary: "Pays a sale by the code that its holder told",
    source: "spec.md 21",
    input: z.object({ sale: c.uuid, challenge: c.uuid, code: c.text(10, 1) }),
    output: tillSale,
    problems: [
      ...commonProblems,
      "till_frozen",
      "till_state",
      "code_wrong",
      "code_expired",
      "till_card",
      "till_funds",
      "till_limit",
      "points_short",
    ],
  }),
  withdraw: c.row({
    method: "POST",
    path: "/api/till/sales/:sale/withdraw",
    access: "professional",
    right: "charge",
    of: { sale: "sale" },
    changes: ["till"],
    summary: "Gives up a sale that still waits for the holder",
    source: "spec.md 21",
    input: sale,
    output: tillSale,
    rate: { max: 60, seconds: 60 },
    problems: [...commonProblems, "till_state"],
  }),
  cancel: c.row({
    method: "POST",
    path: "/api/till/sales/:sale/cancel",
    access: "professional",
    right: "charge",
    of: { sale: "sale" },
    changes: ["till"],
    summary: "Cancels a whole sale within a quarter of an hour: the wallets that paid have it back",
    source: "spec.md 21",
    input: sale,
    output: tillSale,
    problems: [...commonProblems, "till_state", "till_late", "till_too_much"],
  }),
  refund: c.row({
    method: "POST",
    path: "/api/till/sales/:sale/refund",
    access: "professional",
    right: "seeMoney",
    of: { sale: "sale" },
    changes: ["till"],
    summary: "Gives back a part of a sale, or the rest of it; not for a cashier",
    source: "spec.md 21",
    input: z.object({
      sale: c.uuid,
      amountCents: z.int().check(z.minimum(1), z.maximum(limits.maxCents)),
      /** Amount already refunded when this was decided: a repeated call refunds once. */
      refundedCents: z.int().check(z.minimum(0), z.maximum(limits.maxCents)),
    }),
    output: tillSale,
    problems: [...commonProblems, "till_state", "till_too_much"],
  }),
  requests: c.row({
    method: "GET",
    path: "/api/till/requests",
    access: "person",
    of: "self",
    reads: ["till", "family"],
    summary: "Sales that wait for the caller's yes, for their own card or a child's",
    source: "spec.md 21",
    input: c.emptyObject,
    output: z.object({ items: z.array(request) }),
    problems: [],
  }),
  answer: c.row({
    method: "POST",
    path: "/api/till/requests/:sale",
    access: "person",
    of: { sale: "saleRequest" },
    changes: ["till", "wallets", "money_proof"],
    summary: "Pays a sale that was asked for, or refuses it",
    source: "spec.md 21",
    input: z.object({ sale: c.uuid, accept: z.boolean(), ...c.stepUp }),
    output: request,
    problems: [
      "not_found",
      "till_state",
      "till_frozen",
      "points_short",
      ...spendProblems.filter((code) => code !== "wallet_not_accepted"),
    ],
  }),
} as const;
