// Wallets (cagnottes): balances, movements, statements, transfers to a family card.
import * as z from "zod/mini";
import { cardStates } from "../cards/rows.ts";
import * as c from "../endpoint.ts";
import { sentTransfer } from "./sent.ts";
import { listedCategories } from "./spending.ts";

export const movementKinds = [
  "top_up",
  "transfer_in",
  "transfer_out",
  "purchase",
  "meal",
  "grant",
  "refund",
  "expiry",
  "dispute",
  "correction",
] as const;
export type MovementKind = (typeof movementKinds)[number];

export const movementKindNames: Readonly<Record<MovementKind, string>> = {
  top_up: "Recharge",
  transfer_in: "Virement reçu",
  transfer_out: "Virement envoyé",
  purchase: "Achat",
  meal: "Repas",
  grant: "Aide reçue",
  refund: "Remboursement",
  expiry: "Expiration",
  dispute: "Litige",
  correction: "Correction",
};

const lot = z.object({
  kind: z.enum(["purchased", "granted"]),
  label: z.string(),
  balanceCents: c.cents,
  expiresOn: z.nullable(c.day),
});

export const wallet = z.object({
  objectID: c.uuid,
  name: z.string(),
  /** The name in the recharge path. */
  slug: z.string(),
  /** The acceptance group; 1 is the main one, valid everywhere (spec.md 13). */
  idgroup: z.int(),
  main: z.boolean(),
  cardnumber: c.cardnumber,
  /** The money in the wallet, what is booked included. */
  balanceCents: c.cents,
  /** What is booked and not yet paid (holds). */
  heldCents: c.cents,
  /** Balance once what is booked is paid: what can still be spent. */
  projectedCents: c.cents,
  /** Purchased money that is not booked: what can be sent to another card; aid stays where it is. */
  sendableCents: c.cents,
  /** What a guardian's limits leave to be spent from it now, 0 where it may not pay; null without. */
  spendLimitCents: z.nullable(c.cents),
  /** What the same limits leave its holder to send from it now; null without. Guardians send beyond them. */
  sendLimitCents: z.nullable(c.cents),
  /** About the day the wallet runs out at the pace of an ordinary week, null when it does not. */
  emptyOn: z.nullable(c.day),
  frozen: z.boolean(),
  topUpMinCents: c.cents,
  topUpMaxCents: c.cents,
  capCents: c.cents,
  /** What may still be added before the cap. */
  roomCents: c.cents,
  lots: z.array(lot),
  /** French sentence: where this wallet is accepted. */
  rule: z.string(),
});
export type Wallet = z.output<typeof wallet>;

export const movement = z.object({
  id: z.number(),
  at: c.instant,
  kind: z.enum(movementKinds),
  label: z.string(),
  /** Signed: positive comes in, negative goes out. */
  amountCents: c.cents,
  /** Balance of the wallet after the movement. */
  balanceAfterCents: c.cents,
  topUp: z.nullable(c.uuid),
  /** The sale of a till that it paid or gave back, whose receipt its holder reads. */
  sale: z.nullable(c.uuid),
  /**
   * The lots of the person that took part, where they are several: of this wallet and, for a purchase
   * that took the rest from another one, of that wallet too. Empty for money of one lot.
   */
  parts: z.array(z.object({ wallet: z.string(), label: z.string(), amountCents: c.cents })),
});
export type Movement = z.output<typeof movement>;

const ofWallet = { objectID: c.uuid };
const span = { from: z.optional(c.day), to: z.optional(c.day) };
const filters = {
  ...span,
  kind: z.optional(z.enum(movementKinds)),
  /** What was spent in a category and what of it came back. */
  category: z.optional(z.enum(listedCategories)),
  q: z.optional(c.text(60)),
};

export const wallets = {
  info: c.row({
    method: "POST",
    path: "/api/card/info",
    access: "person",
    of: { cardnumber: "card" },
    reads: ["wallets", "cards"],
    summary: "Spendable balance of the main wallet of a card",
    source: "spec §7; spec.md 11",
    input: z.object({ cardnumber: c.cardnumber }),
    output: z.object({
      cardnumber: c.cardnumber,
      /** Euros with two decimals, as the specification's balance. */
      credit: z.number(),
      creditCents: c.cents,
      state: z.enum(cardStates),
      atf: z.int(),
    }),
    problems: [],
  }),
  list: c.row({
    method: "GET",
    path: "/api/wallets",
    access: "person",
    of: { cardnumber: "card" },
    reads: ["wallets", "limits", "family"],
    summary: "The wallets of a card, the main one first",
    source: "spec §2 cagnottes; spec.md 17",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: z.object({ items: z.array(wallet) }),
    problems: [],
  }),
  publicServices: c.row({
    method: "POST",
    path: "/api/public/services/public",
    access: "person",
    of: { cardnumber: "card" },
    reads: ["wallets", "limits", "family"],
    summary: "The card's wallets as /services/cagnottes reads them",
    source: "spec §7; spec.md 4 and 12",
    input: z.object({ cardnumber: c.cardnumber }),
    output: z.object({ data: z.array(wallet) }),
    problems: [],
  }),
  movements: c.row({
    method: "GET",
    path: "/api/wallets/:objectID/movements",
    access: "person",
    of: { objectID: "wallet" },
    reads: ["wallets"],
    summary: "Movements of a wallet, newest first, paged by key",
    source: "spec §2 dashboard",
    input: z.object({ ...ofWallet, before: c.before, limit: c.limit, ...filters }),
    output: c.page(movement),
    problems: [],
  }),
  history: c.row({
    method: "GET",
    path: "/api/wallets/:objectID/history",
    access: "person",
    of: { objectID: "wallet" },
    reads: ["wallets"],
    summary: "Balance at the end of each day and its projection, for the chart",
    source: "server/wallet/README.md#balances-and-the-forecast",
    input: z.object({
      ...ofWallet,
      days: z.optional(z.coerce.number().check(z.int(), z.minimum(7), z.maximum(366))),
    }),
    output: z.object({
      points: z.array(z.object({ on: c.day, balanceCents: c.cents })),
      projection: z.array(z.object({ on: c.day, balanceCents: c.cents })),
    }),
    problems: [],
  }),
  statement: c.row({
    method: "GET",
    path: "/api/wallets/:objectID/statement.pdf",
    access: "person",
    of: { objectID: "wallet" },
    summary: "Statement of a wallet as a tagged PDF",
    source: "spec §2 dashboard (PDF generation)",
    input: z.object({ ...ofWallet, ...filters }),
    output: c.document,
    reply: "pdf",
    rate: { max: 10, seconds: 60 },
    problems: [],
  }),
  exportCsv: c.row({
    method: "GET",
    path: "/api/wallets/:objectID/movements.csv",
    access: "person",
    of: { objectID: "wallet" },
    summary: "Movements as CSV, semicolons, UTF-8 with BOM, no cell starts a formula",
    source: "server/wallet/README.md#movements-and-statements",
    input: z.object({ ...ofWallet, ...filters }),
    output: c.document,
    reply: "csv",
    problems: [],
  }),
  transfer: c.row({
    method: "POST",
    path: "/api/transfers",
    access: "person",
    of: { fromWallet: "wallet", toCardnumber: "kin" },
    changes: ["wallets", "notices", "activity", "money_proof"],
    summary: "Sends money to the main wallet of a family card; a code above a threshold",
    source: "server/wallet/README.md#transfers; spec.md 14 and 15",
    input: z.object({
      fromWallet: c.uuid,
      toCardnumber: c.cardnumber,
      amountCents: c.amountCents,
      /** Confirms an identical transfer within a minute (spec.md 15). */
      repeat: z.optional(z.boolean()),
      ...c.stepUp,
    }),
    output: sentTransfer,
    status: 201,
    problems: [
      "insufficient_funds",
      "amount_too_small",
      "amount_too_large",
      "wallet_cap",
      "receiver_refused",
      "wallet_frozen",
      "card_suspended",
      "card_opposed",
      "card_state",
      "same_wallet",
      "repeat_confirm",
      "limit_day",
      "limit_week",
      "limit_place",
      "idempotency_mismatch",
      ...c.stepUpProblems,
    ],
  }),
} as const;
