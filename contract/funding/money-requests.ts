// A child's requests for money: the child asks, whichever guardian answers first sends or refuses.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { giftWordMax } from "./names.ts";

/** Letters of the words of a request, and of a refusal. */
export const requestWordsMax = giftWordMax;

/** `ended`: without an answer, by an opposition, a closed account or the coming of age. */
export const moneyRequestStates = [
  "open",
  "sent",
  "refused",
  "withdrawn",
  "expired",
  "ended",
] as const;
export type MoneyRequestState = (typeof moneyRequestStates)[number];

export const moneyRequest = z.object({
  id: c.uuid,
  amountCents: c.cents,
  words: z.nullable(z.string()),
  state: z.enum(moneyRequestStates),
  createdAt: c.instant,
  /** The first instant at which nobody can answer any more. */
  expiresAt: c.instant,
  /** When it was answered, withdrawn or ended; null while it is open. */
  endedAt: z.nullable(c.instant),
  /** The guardian who answered. */
  answeredBy: z.nullable(z.string()),
  answerWords: z.nullable(z.string()),
  /** What was sent, which may be another amount; null where nothing was. */
  sentCents: z.nullable(c.cents),
});
export type MoneyRequest = z.output<typeof moneyRequest>;

/** What the to-do of a request says in one text: its cents, then the child's words. */
export function readRequestToDo(what: string): { amountCents: number; words: string | null } {
  const [cents = "", ...words] = what.split(" ");
  return { amountCents: Number(cents), words: words.join(" ") || null };
}

/** Why a request cannot be answered any more: it is settled, or over. */
export const settledRequestProblems = [
  "money_request_answered",
  "money_request_withdrawn",
  "money_request_expired",
  "money_request_ended",
] as const;

export const moneyRequests = {
  list: c.row({
    method: "GET",
    path: "/api/money-requests",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["money_requests", "cards", "family"],
    summary: "A child's own last ten requests for money; to its guardian, the one that is open",
    source: "server/funding/README.md#requests-for-money",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: z.object({
      /** The newest first. */
      items: z.array(moneyRequest),
      /** The guardians who are asked, in the order in which they were tied; none for an adult. */
      guardians: z.array(z.string()),
    }),
    problems: [],
  }),
  ask: c.row({
    method: "POST",
    path: "/api/money-requests",
    access: "holder",
    of: "self",
    changes: ["money_requests", "activity"],
    summary: "Asks all guardians of the caller, a child, for money; one request at a time",
    source: "server/funding/README.md#requests-for-money",
    input: z.object({ amountCents: c.amountCents, words: z.optional(c.text(requestWordsMax)) }),
    output: moneyRequest,
    status: 201,
    rate: { max: 10, seconds: 3600 },
    problems: [
      "money_request_adult",
      "money_request_waiting",
      "money_request_amount",
      "money_request_words",
      "wallet_cap",
      "wallet_frozen",
      "card_suspended",
      "card_opposed",
      "card_state",
    ],
  }),
  withdraw: c.row({
    method: "POST",
    path: "/api/money-requests/:id/withdraw",
    access: "holder",
    of: { id: "moneyRequest" },
    changes: ["money_requests", "activity"],
    summary: "Takes back the caller's own request; again changes nothing",
    source: "server/funding/README.md#requests-for-money",
    input: z.object({ id: c.uuid }),
    output: moneyRequest,
    rate: { max: 10, seconds: 3600 },
    problems: ["money_request_answered", "money_request_expired", "money_request_ended"],
  }),
  send: c.row({
    method: "POST",
    path: "/api/money-requests/:id/send",
    access: "holder",
    of: { id: "moneyRequestReceived" },
    changes: ["money_requests", "wallets", "notices", "activity", "money_proof"],
    summary: "Answers a child's request with a transfer from the caller's main wallet, once",
    source: "server/funding/README.md#requests-for-money; spec.md 14",
    input: z.object({ id: c.uuid, amountCents: c.amountCents, ...c.stepUp }),
    output: z.object({
      transfer: c.uuid,
      amountCents: c.cents,
      /** Of the caller's main wallet, just after. */
      balanceCents: c.cents,
    }),
    problems: [
      ...settledRequestProblems,
      "insufficient_funds",
      "amount_too_small",
      "wallet_cap",
      "wallet_frozen",
      "card_suspended",
      "card_opposed",
      "card_state",
      ...c.stepUpProblems,
    ],
  }),
  refuse: c.row({
    method: "POST",
    path: "/api/money-requests/:id/refuse",
    access: "holder",
    of: { id: "moneyRequestReceived" },
    changes: ["money_requests", "activity"],
    summary: "Refuses a child's request, with words if one wishes; again changes nothing",
    source: "server/funding/README.md#requests-for-money",
    input: z.object({ id: c.uuid, words: z.optional(c.text(requestWordsMax)) }),
    output: c.messageAnswer,
    problems: [...settledRequestProblems, "money_request_words"],
  }),
} as const;
