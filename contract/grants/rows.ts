// Money that a company grants on its pro cards: written, paid up front, followed card by card, taken back.
import * as z from "zod/mini";
import { cardStates } from "../cards/rows.ts";
import { checkoutProblems, payment, paying } from "../checkout/rows.ts";
import * as c from "../endpoint.ts";
import { grants as limits } from "./limits.ts";

const group = z.object({
  idgroup: z.int(),
  name: z.string(),
  /** French sentence: where the money is accepted. */
  rule: z.string(),
});

/** A card that may be granted money: active, and somebody carries it. */
const grantable = z.object({ cardnumber: c.cardnumber, name: z.string() });
export type GrantableCard = z.output<typeof grantable>;

/** Parts of granted money: spent, left, and returned to the company. They add up to the whole. */
const sums = { spentCents: c.cents, leftCents: c.cents, returnedCents: c.cents };

const summary = z.object({
  id: c.uuid,
  number: z.int(),
  /** Awaiting: its transfer has not come, nothing is on the cards. */
  state: z.enum(["draft", "awaiting", "granted"]),
  label: z.string(),
  /** Name of the group where it is accepted. */
  groupName: z.string(),
  expiresOn: c.day,
  cards: z.int(),
  totalCents: c.cents,
  /** Amount still expected from its transfer, whether it is on the cards already or not. */
  owedCents: c.cents,
  ...sums,
  createdAt: c.instant,
  grantedAt: z.nullable(c.instant),
});
export type GrantSummary = z.output<typeof summary>;

const grantedCard = z.object({
  cardnumber: c.cardnumber,
  name: z.string(),
  amountCents: c.cents,
  ...sums,
});
export type GrantedCard = z.output<typeof grantedCard>;

const grant = z.extend(summary, {
  idgroup: z.int(),
  rule: z.string(),
  /** Until when what is not spent can be taken back; null for who may not, and once it is too late. */
  takeBackUntil: z.nullable(c.instant),
  /** Whether the caller may pay or erase the draft. */
  canDecide: z.boolean(),
  /** Whether a draft may be paid by a transfer; `credit`: it is then on the cards before the money comes. */
  byTransfer: z.enum(["no", "waits", "credit"]),
  /** Where the transfer that is expected goes and what it quotes; null where none is. */
  transfer: z.nullable(
    z.object({
      holder: z.string(),
      iban: z.string(),
      bic: z.string(),
      reference: z.string(),
      /** The last day for it: what is on the cards is to be paid by then, what is not ends with the grant. */
      until: c.day,
    }),
  ),
  /** The last payment at the provider, while it has no outcome. */
  topUp: z.nullable(c.uuid),
  /** French sentence on the payment that failed last, null for none. */
  paymentFailed: z.nullable(z.string()),
  lines: z.array(grantedCard),
});
export type GrantView = z.output<typeof grant>;

const cardSums = z.object({
  cardnumber: c.cardnumber,
  name: z.string(),
  state: z.enum(cardStates),
  grantedCents: c.cents,
  ...sums,
  /** The part of what is left that expires within `soonDays`. */
  soonCents: c.cents,
  /** The earliest expiry of what is left. */
  nextExpiresOn: z.nullable(c.day),
});
export type GrantCardSums = z.output<typeof cardSums>;

const professional = { access: "professional" } as const;
const contentProblems = ["grant_card", "grant_day", "grant_group"] as const;

export const grants = {
  choices: c.row({
    method: "GET",
    path: "/api/grants/choices",
    right: "decide",
    of: "company",
    ...professional,
    reads: ["wallets"],
    summary: "What an owner chooses from: groups and the active cards of the company",
    source: "server/grants/README.md#what-an-owner-grants",
    input: c.emptyObject,
    output: z.object({ groups: z.array(group), cards: z.array(grantable) }),
    problems: [],
  }),
  readFile: c.row({
    method: "POST",
    path: "/api/grants/file",
    right: "decide",
    of: "company",
    ...professional,
    summary: "Reads a CSV of cards and amounts, the body itself: or what is wrong by line",
    source: "server/grants/README.md#what-an-owner-grants",
    body: "file",
    fileBytes: limits.fileBytes,
    input: c.emptyObject,
    output: z.object({
      encoding: z.enum(["utf-8", "utf-16", "windows-1252"]),
      /** Empty while there is a fault: a file is imported whole or not at all. */
      cards: z.array(z.extend(grantable, { amountCents: c.amountCents })),
      faults: z.array(z.object({ line: z.int(), what: z.string() })),
      /** The reading stopped at the last of them: there may be more. */
      stopped: z.boolean(),
    }),
    rate: { max: 30, seconds: 60 },
    problems: [
      "document_too_large",
      "file_too_slow",
      "grant_file_type",
      "grant_file_unreadable",
      "grant_file_columns",
    ],
  }),
  write: c.row({
    method: "POST",
    path: "/api/grants",
    right: "decide",
    of: { draft: "grant", idgroup: "anyone", "cards[].cardnumber": "colleague" },
    ...professional,
    changes: ["grants"],
    summary: "Writes a draft: a group, a last day, an amount for each card; nothing is granted yet",
    source: "server/grants/README.md#what-an-owner-grants",
    input: z.object({
      /** The id that it will have, made by the screen: sent again, it takes the place of the first one. */
      draft: z.optional(c.uuid),
      idgroup: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
      label: c.text(limits.labelLength, 1),
      expiresOn: c.day,
      cards: z
        .array(
          z.object({
            cardnumber: c.cardnumber,
            amountCents: z.int().check(z.minimum(limits.minCents), z.maximum(limits.maxCents)),
          }),
        )
        .check(z.minLength(1), z.maxLength(limits.max)),
    }),
    output: grant,
    status: 201,
    rate: { max: 20, seconds: 60 },
    problems: [
      ...contentProblems,
      "grant_card_twice",
      "grant_label",
      "grant_awaiting",
      "grant_closed",
    ],
  }),
  pay: c.row({
    method: "POST",
    path: "/api/grants/:grant/pay",
    right: "decide",
    of: { grant: "grant", objectID: "wallet" },
    ...professional,
    changes: ["grants", "wallets", "top_ups", "activity", "money_proof"],
    summary: "Pays a draft by the one checkout, up front: the money is on the cards",
    source: "spec.md 28",
    input: z.object({ grant: c.uuid, ...paying }),
    output: z.object({ id: c.uuid, payment }),
    problems: ["grant_closed", "grant_awaiting", ...contentProblems, ...checkoutProblems],
  }),
  payByTransfer: c.row({
    method: "POST",
    path: "/api/grants/:grant/transfer",
    right: "decide",
    of: { grant: "grant" },
    ...professional,
    changes: ["grants", "wallets", "activity", "money_proof"],
    summary:
      "Has a draft paid by a transfer; within the company's credit the money is on the cards at once",
    source: "server/grants/README.md#paid-by-transfer",
    input: z.object({ grant: c.uuid, ...c.stepUp }),
    output: grant,
    problems: [
      "grant_closed",
      "grant_awaiting",
      ...contentProblems,
      "invoice_issuer",
      "order_payment_pending",
      ...c.stepUpProblems,
    ],
  }),
  cancelTransfer: c.row({
    method: "POST",
    path: "/api/grants/:grant/transfer/cancel",
    right: "decide",
    of: { grant: "grant" },
    ...professional,
    changes: ["grants", "wallets", "activity"],
    summary: "Expects the transfer no more: the grant is a draft again, paid otherwise or erased",
    source: "server/grants/README.md#paid-by-transfer",
    input: z.object({ grant: c.uuid }),
    output: grant,
    problems: ["grant_closed", "grant_no_transfer"],
  }),
  request: c.row({
    method: "GET",
    path: "/api/grants/:grant/request.pdf",
    right: "seeMoney",
    of: { grant: "grant" },
    ...professional,
    summary:
      "The call for funds of a grant that a transfer pays, as PDF: no invoice, nothing is sold",
    source: "server/grants/README.md#paid-by-transfer",
    input: z.object({ grant: c.uuid }),
    output: c.document,
    reply: "pdf",
    rate: { max: 30, seconds: 60 },
    problems: [],
  }),
  discard: c.row({
    method: "POST",
    path: "/api/grants/:grant/discard",
    right: "decide",
    of: { grant: "grant" },
    ...professional,
    changes: ["grants"],
    summary: "Erases a draft",
    source: "server/grants/README.md#what-an-owner-grants",
    input: z.object({ grant: c.uuid }),
    output: c.emptyObject,
    problems: ["grant_closed", "grant_awaiting", "order_payment_pending"],
  }),
  takeBack: c.row({
    method: "POST",
    path: "/api/grants/:grant/take-back",
    right: "decide",
    of: { grant: "activeGrant", cardnumber: "number" },
    ...professional,
    changes: ["grants", "wallets", "activity"],
    summary: "Takes back what is not spent of a grant, of one card or of all, within 72 hours",
    source: "server/grants/README.md#what-ends-unspent",
    input: z.object({
      grant: c.uuid,
      /** One card of it; every card without. */
      cardnumber: z.optional(c.cardnumber),
    }),
    output: z.object({ grant, takenCents: c.cents }),
    problems: ["grant_final", "grant_spent"],
  }),
  list: c.row({
    method: "GET",
    path: "/api/grants",
    right: "seeMoney",
    of: "company",
    ...professional,
    reads: ["grants"],
    summary: "The grants of the company, drafts too, the newest first, paged by key",
    source: "server/grants/README.md#what-the-company-sees",
    input: z.object({ before: c.before, limit: c.limit }),
    output: z.extend(c.page(summary), { canDecide: z.boolean() }),
    problems: [],
  }),
  byCard: c.row({
    method: "GET",
    path: "/api/grants/cards",
    right: "seeMoney",
    of: "company",
    ...professional,
    reads: ["grants"],
    summary: "What each card was granted, has spent, keeps, and what came back, with the sums",
    source: "server/grants/README.md#what-the-company-sees",
    input: c.emptyObject,
    output: z.object({
      totals: z.object({ grantedCents: c.cents, ...sums, soonCents: c.cents }),
      items: z.array(cardSums),
    }),
    problems: [],
  }),
  exportCsv: c.row({
    method: "GET",
    path: "/api/grants/export.csv",
    right: "seeMoney",
    of: "company",
    ...professional,
    summary: "A line for each card of each grant, as CSV",
    source: "server/grants/README.md#what-the-company-sees",
    input: c.emptyObject,
    output: c.document,
    reply: "csv",
    problems: [],
  }),
  read: c.row({
    method: "GET",
    path: "/api/grants/:grant",
    right: "seeMoney",
    of: { grant: "grant" },
    ...professional,
    reads: ["grants"],
    summary: "A grant of the company with its cards",
    source: "server/grants/README.md#what-the-company-sees",
    input: z.object({ grant: c.uuid }),
    output: grant,
    problems: [],
  }),
} as const;
