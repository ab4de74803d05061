// Exceptions of the check: what it cannot infer, or what the code guarantees and the columns do not, each
// with its reason. An exception that is no longer needed is a fault too.
const narrowed = "the condition of the statement leaves no null";

export const exceptions: Record<string, string> = {
  "server/documents/documents.ts documentsOf: of: string, yet it may be null": narrowed,
  "server/db/query.ts query: cannot be told: statement":
    "the statement of whoever asks, which is held to the schema there",
  "server/entitlements/renewals.ts ask: until: string, yet it may be null":
    "only numbers of papers with a last day are given",
  "server/entitlements/entitlements.ts quotientOf: value: number, yet it may be null":
    "proof_quotient: a paper on the quotient has one",
  "server/passes/pass-rows.ts passesWhere: lateFeeCents: number, yet it may be null":
    "pass_order_frozen: a paid order has its fee, and a pass comes from a paid order",
  "server/passes/exemption.ts waitingExemptions: reason: string, yet it may be null":
    "written together with the state that the condition asks for",
  "server/passes/exemption.ts waitingExemptions: requestedAt: Date, yet it may be null":
    "written together with the state that the condition asks for",
  "server/transit/trips.ts Columns: cannot be told: sql.table(this.#table)":
    "rows of numbers for the temporary table that each reader names beside its columns",
  "server/privacy/archive.ts dataText: cannot be told: sql.ref(`t.${name}`)":
    "each column of a table of the register, as the catalogue lists them",
  "server/privacy/archive.ts dataText: cannot be told: sql.table(line.table)":
    "each table of the register in turn",
  "server/privacy/operator.ts pendingRefunds: refundCents: number, yet it may be null": narrowed,
  "server/privacy/operator.ts recordRefundPaid: refundCents: number, yet it may be null": narrowed,
  "server/process/jobs.ts unlockDead: lockedBy: string, yet it may be null": narrowed,
  "server/subscriptions/operator.ts subscriptionCommands: at: Date, yet it may be null":
    "subscription_bought: a subscription in review is paid",
};
