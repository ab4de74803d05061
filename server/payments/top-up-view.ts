// The view of a top-up for its holder, their guardians and its payer.
import { type TopUp, topUpCan } from "#contract/payments/rows.ts";
import type { TopUpRow } from "./top-ups.ts";
import { releasedReason } from "./top-up-news.ts";

/** A top-up as the contract shows it. */
export function toTopUpView(row: TopUpRow, siteOrigin: string): TopUp {
  const { id, state, amountCents, objectID, name, slug, idgroup, reason, frozen } = row;
  // The stored reason says that the wallet is blocked.
  const isReleased = state === "disputed" && !frozen;
  const payable = topUpCan.pay(row) && row.paymentPath !== null;
  return {
    id,
    state,
    amountCents,
    wallet: { objectID, name, slug, idgroup },
    frozen,
    createdAt: row.createdAt.toISOString(),
    paymentUrl: payable ? new URL(row.paymentPath as string, siteOrigin).href : null,
    reason: isReleased ? releasedReason : reason,
    order: toOrderView(row),
    holds: row.holds,
    owedCents: row.owedCents,
  };
}

function toOrderView(row: TopUpRow): TopUp["order"] {
  const { orderKind: kind, orderId: id, orderLabel: label, orderPath: path } = row;
  if (!kind || !id || label === null || path === null) return null;
  return { kind, id, label, path, outcome: row.orderOutcome };
}
