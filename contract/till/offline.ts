// Charges made without network: the device has accepted them, the server takes each from the holder's wallet
// once or records why it could not.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { offlineTill as offline, till as limits } from "./limits.ts";
import { saleLine, saleLines } from "./lines.ts";
import { tillSale } from "./rows.ts";

/** Why a charge made without network was not taken from a wallet; `offlineConflictWords` says each. */
export const offlineConflicts = [
  "funds",
  "card",
  "limit",
  "own",
  "code",
  "code_used",
  "cap_charge",
  "cap_till",
  "cap_holder",
  "late",
  "counter",
  "unanswered",
  "withdrawn",
] as const;
export type OfflineConflict = (typeof offlineConflicts)[number];

/** One charge of a till; its id is made by the device, so that it may be sent again. */
const offlineCharge = z.object({
  id: c.uuid,
  partner: c.uuid,
  /** Before the discount. Beyond the bound of a charge without network it comes back as a conflict. */
  amountCents: z.int().check(z.minimum(limits.minCents), z.maximum(limits.maxCents)),
  label: z.optional(c.text(80, 1)),
  /** At the prices of the device; left out where they are more than the amount. */
  lines: z.optional(saleLines),
  /** Of the card's QR. */
  token: c.text(300, 1),
  /** By the clock of the device, which may be wrong: held against the minute of the code. */
  soldAt: c.instant,
  /** When the device received the terms of the discount that it took off; a day before the sale at most. */
  knownAt: c.instant,
  /** Why the cashier took it off the device before it was sent: it is noted and not debited. */
  withdrawnWhy: z.optional(c.text(limits.withdrawnLength, 1)),
});
export type OfflineCharge = z.output<typeof offlineCharge>;

const recorded = z.object({
  id: c.uuid,
  /** Null once it is taken from the wallet. */
  conflict: z.nullable(z.enum(offlineConflicts)),
  sale: z.nullable(tillSale),
});
export type OfflineRecorded = z.output<typeof recorded>;

const offlineLoss = z.object({
  id: c.uuid,
  /** Name of the counter. */
  counter: z.string(),
  cashier: z.string(),
  soldAt: c.instant,
  /** When the server received it. */
  receivedAt: c.instant,
  /** Before the discount. */
  amountCents: c.cents,
  label: z.nullable(z.string()),
  lines: z.array(saleLine),
  /** The last four digits of the card; null for a code that is nobody's. */
  last4: z.nullable(z.string()),
  conflict: z.enum(offlineConflicts),
  /** Why its cashier took it off the device; null for any other reason. */
  withdrawnWhy: z.nullable(z.string()),
});
export type OfflineLoss = z.output<typeof offlineLoss>;

export const tillOffline = {
  recordOffline: c.row({
    method: "POST",
    path: "/api/till/offline",
    access: "professional",
    right: "anyone",
    of: { "charges[].id": "new", "charges[].partner": "anyone", "charges[].token": "secret" },
    changes: ["till"],
    summary:
      "Takes charges made without network from wallets, earliest first, each once; what the answer leaves out waits",
    source: "spec.md 21",
    input: z.object({ charges: z.array(offlineCharge).check(z.maxLength(offline.atOnce)) }),
    output: z.object({ items: z.array(recorded) }),
    rate: { max: 60, seconds: 60 },
    problems: ["not_found", "idempotency_mismatch"],
    timeoutMs: 30_000,
  }),
  offlineLosses: c.row({
    method: "GET",
    path: "/api/till/offline",
    access: "professional",
    right: "anyone",
    of: { before: "offlineCharge" },
    reads: ["till"],
    summary:
      "Charges of the company that no wallet paid, newest first, with the reason; a cashier's own",
    source: "spec.md 21",
    input: z.object({ before: z.optional(c.uuid), limit: c.limit }),
    output: z.object({ items: z.array(offlineLoss), next: z.nullable(c.uuid) }),
    problems: [],
  }),
  offlineLossesFile: c.row({
    method: "GET",
    path: "/api/till/offline.csv",
    access: "professional",
    right: "anyone",
    of: "self",
    summary: "The same as CSV, the latest thousand",
    source: "spec.md 21",
    input: c.emptyObject,
    output: c.document,
    reply: "csv",
    rate: { max: 20, seconds: 60 },
    problems: [],
  }),
} as const;
