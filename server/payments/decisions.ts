// Operator decisions on money that waits: a dispute that was won, a top-up under review, a parked event.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { topUpStateNames } from "#contract/payments/rows.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditOperator } from "#server/identity/identity.ts";
import { lockedBalances, post, postedUnder, reverseGroup } from "#server/ledger/ledger.ts";
import { announce } from "#server/notifications/notifications.ts";
import { repaidOf, schemeAccount, unfreezeWallet } from "#server/wallet/wallet.ts";
import { lockedTopUp, returnTask, settleIn } from "./events.ts";
import type { PaymentDeps } from "./orders.ts";
import {
  acceptSuspended,
  chargeKey,
  reinstatedKey,
  releaseSuspended,
  suspendedOf,
} from "./postings.ts";
import type { CreditedTopUp } from "./postings.ts";
import { followedAt } from "./top-ups.ts";
import { reinstatedNews } from "./top-up-news.ts";

/** The operator who decides, and the reason; without a reason the effect is only shown. */
export interface Decision {
  id: string;
  reason: string | null;
  operator: string;
}

/**
 * Whether the top-up `t` keeps its wallet `w` frozen: a lost dispute ends when an operator unfreezes the
 * wallet.
 */
export const disputeFreezesSql = sql<boolean>`(t.state = 'disputed' and t.updated_at >= w.frozen_at)`;

type Decided = Promise<readonly string[]>;

async function lockNamed(tx: Tx, id: string, state: "disputed" | "review"): Promise<CreditedTopUp> {
  const topUp = await lockedTopUp(tx, sql`t.id::text = ${id}`);
  if (!topUp) throw new Problem("not_found");
  if (topUp.state !== state) {
    throw new Problem("top_up_state", { state: topUpStateNames[topUp.state].toLowerCase() });
  }
  // The wallet's row is locked first, as transfers do.
  await sql`select from wallet where id = ${topUp.walletId} for no key update`.execute(tx);
  return topUp;
}

const record = (
  tx: Tx,
  topUp: CreditedTopUp,
  { action, why, operator, at }: { action: string; why: string; operator: string; at: Date },
) =>
  auditOperator(tx, operator, action, {
    personId: topUp.ownerId,
    details: { why, topUp: topUp.id },
    at,
  });

/**
 * The bank returned the disputed money: the debt is repaid, the rest is credited to the wallet, which is
 * unfrozen unless another of its payments is disputed. Throws `not_found`, `top_up_state`.
 */
export async function reinstate(
  tx: Tx,
  deps: PaymentDeps,
  { id, reason, operator }: Decision,
): Decided {
  const at = deps.now();
  const topUp = await lockNamed(tx, id, "disputed");
  // Locks the accounts, so that no repayment of it is confirmed meanwhile.
  await lockedBalances(tx, [topUp.purchasedAccount, await schemeAccount(tx, "disputes")]);
  const contested = `${chargeKey(topUp)}:disputed`;
  const posted = await postedUnder(tx, contested);
  const sum = (some: typeof posted) => some.reduce((cents, one) => cents + one.amountCents, 0);
  const total = sum(posted);
  const left = sum(posted.filter((one) => one.debitAccount === topUp.purchasedAccount));
  // Repayments made meanwhile go back to the holder: the amount was never owed.
  const repaid = await repaidOf(
    tx,
    posted.map(({ id: transferId }) => transferId),
  );
  const back = left + repaid;
  const said =
    `${formatMoney(total)} contestés : ${formatMoney(back)} reviennent à la cagnotte, ` +
    `${formatMoney(total - back)} soldent ce qui était dû ou mis de côté.`;
  if (reason === null) return [said];
  if (total > 0) {
    const undo = { key: reinstatedKey(topUp), kind: "correction", reason, at };
    await reverseGroup(tx, contested, undo);
  }
  if (repaid > 0) {
    const debitAccount = await schemeAccount(tx, "disputes");
    const key = `repaid:${chargeKey(topUp)}`;
    const creditAccount = topUp.purchasedAccount;
    const transfer = { debitAccount, creditAccount, amountCents: repaid, kind: "correction" };
    await post(tx, [{ key, ...transfer, memo: { reason }, at }]);
  }
  const news = reinstatedNews(topUp, back);
  await tx
    .updateTable("topUp")
    .set({ state: "credited", reason: null, updatedAt: at })
    .where("id", "=", topUp.id)
    .execute();
  if (topUp.returnCents > topUp.refundedCents) {
    await deps.enqueue(tx, returnTask, { topUp: topUp.id }, { key: `return:${topUp.id}` });
  }
  await record(tx, topUp, { action: "top_up.reinstate", why: reason, operator, at });
  const path = followedAt({ ...topUp, orderPath: topUp.order?.path ?? null });
  const payer = { id: topUp.payerId };
  const announcement = { ...news, about: "top_up" as const, to: [topUp.ownerId], payer, path, at };
  await announce(tx, deps, { ...announcement, changed: ["top_ups", "wallets"] });
  const { rows: others } = await sql`select from top_up t join wallet w on w.id = t.wallet_id
    where w.id = ${topUp.walletId} and ${disputeFreezesSql} limit 1`.execute(tx);
  if (others.length > 0)
    return [said, "La cagnotte reste bloquée : un autre paiement est contesté."];
  const thawed = await unfreezeWallet(tx, deps, topUp.walletId, { why: reason, operator, at });
  return [said, ...(thawed ? ["La cagnotte est débloquée."] : [])];
}

/**
 * Credits the paid amount of a top-up under review to its wallet, whatever was requested. Throws `not_found`,
 * `top_up_state`, and `top_up_suspense_empty` when nothing of it is in suspense any more.
 */
export async function acceptReviewed(
  tx: Tx,
  deps: PaymentDeps,
  { id, reason, operator }: Decision,
): Decided {
  const at = deps.now();
  const reviewedTopUp = await lockNamed(tx, id, "review");
  const amountCents = await suspendedOf(tx, reviewedTopUp);
  if (amountCents === 0) throw new Problem("top_up_suspense_empty");
  const said =
    `${formatMoney(amountCents)} payés pour ${formatMoney(reviewedTopUp.amountCents)} demandés : ` +
    "ils rejoignent la cagnotte.";
  if (reason === null) return [said];
  // Its order was ended when it came under review: the money stays in the holder's wallet.
  const topUp = { ...reviewedTopUp, amountCents, order: null };
  await acceptSuspended(tx, topUp, at);
  await tx
    .updateTable("topUp")
    .set({ amountCents, ...(reviewedTopUp.order && { orderOutcome: "unapplied" }) })
    .where("id", "=", topUp.id)
    .execute();
  await settleIn(tx, deps, topUp, "credited", { ref: topUp.providerRef, at });
  await record(tx, topUp, { action: "top_up.accept", why: reason, operator, at });
  return [said];
}

/**
 * Records that the payment of a top-up under review was refunded although the provider sends no event: the
 * money still in suspense leaves it. Throws `not_found`, `top_up_state`.
 */
export async function recordManualRefund(
  tx: Tx,
  deps: PaymentDeps,
  { id, reason, operator }: Decision,
): Decided {
  const at = deps.now();
  const topUp = await lockNamed(tx, id, "review");
  const [paid] = await postedUnder(tx, chargeKey(topUp));
  const suspendedCents = await suspendedOf(tx, topUp);
  const said =
    suspendedCents > 0
      ? `${formatMoney(suspendedCents)} sortent du compte d'attente, rendus par le prestataire.`
      : "Plus rien n'est au compte d'attente : la recharge est notée remboursée.";
  if (reason === null) return [said];
  await releaseSuspended(tx, topUp, { amountCents: suspendedCents, at });
  const amountCents = paid?.amountCents ?? topUp.amountCents;
  await settleIn(tx, deps, { ...topUp, amountCents }, "refunded", { ref: topUp.providerRef, at });
  await record(tx, topUp, { action: "top_up.refund_recorded", why: reason, operator, at });
  return [said];
}

/**
 * Marks a parked event as dealt with, with the operator and the reason. Throws `not_found`,
 * `payment_event_settled` for an event that does not wait.
 */
export async function settleParked(
  tx: Tx,
  deps: PaymentDeps,
  { id, reason, operator }: Decision,
): Decided {
  const at = deps.now();
  const event = await query(tx).maybeOne(sql<{
    provider: string;
    outcome: string;
    ownerId: number | null;
  }>`
    select e.provider, e.outcome, w.person_id as owner_id from payment_event e
    left join top_up t on t.id = e.top_up_id left join wallet w on w.id = t.wallet_id
    where e.event_id = ${id} order by e.outcome = 'parked' desc limit 1 for update of e`);
  if (!event) throw new Problem("not_found");
  if (event.outcome !== "parked") throw new Problem("payment_event_settled");
  if (reason === null) return ["Cette nouvelle attend ; avec un motif elle n'attendra plus."];
  const decided = JSON.stringify({
    settled: { by: operator, why: reason, at: at.toISOString() },
  });
  await sql`update payment_event set outcome = 'settled', payload = payload || ${decided}::jsonb
    where provider = ${event.provider} and event_id = ${id}`.execute(tx);
  if (event.ownerId !== null) {
    const details = { why: reason, event: id };
    await auditOperator(tx, operator, "payment.settle", { personId: event.ownerId, details, at });
  }
  return ["Cette nouvelle n'attend plus personne."];
}
