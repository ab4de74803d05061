// Cancellation of a paid subscription: the whole price is refunded to the lots that paid.
import { sql } from "kysely";
import { addDays, parisDay } from "#contract/days.ts";
import { ofName } from "#contract/french.ts";
import { Problem } from "#contract/errors.ts";
import { subscriptions as limits } from "#contract/limits.ts";
import { subscriptionCan } from "#contract/subscriptions/states.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import { auditAct } from "#server/identity/identity.ts";
import { refund, refundedTo } from "#server/checkout/checkout.ts";
import {
  syncMembershipDates,
  lockSubscriptionOf,
  requirePayer,
  type SubscriptionRow,
} from "./rows.ts";
import { subscriptionSale } from "./sale.ts";
import { announceSubscription } from "./announcements.ts";

/** Last day of the right to cancel, null when it has ended. */
export function cancelUntil(
  row: Pick<SubscriptionRow, "state" | "paidAt" | "walletId">,
  now: Date,
) {
  if (!subscriptionCan.cancel(row) || row.paidAt === null || row.walletId === null) return null;
  const last = addDays(parisDay(row.paidAt), limits.withdrawDays);
  return row.state === "review" || last >= parisDay(now) ? last : null;
}

/**
 * Cancels a subscription within 14 days of its payment, or while its proofs are in review, for its payer; the
 * whole price is refunded to the wallets that paid. Repeating it is safe. Refuses `subscription_final` later,
 * `subscription_followed` while another one follows it.
 */
export async function cancelSubscription({
  deps,
  caller,
  origin,
  input,
}: {
  deps: Deps;
  caller: Caller;
  origin: Origin;
  input: { id: string };
}): Promise<{ message: string }> {
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockSubscriptionOf(tx, caller.personId, input.id);
    requirePayer(row, caller.personId);
    if (row.state === "cancelled") return { message: "L’abonnement est annulé." };
    if (cancelUntil(row, at) === null) throw new Problem("subscription_final");
    await requireNoSuccessor(tx, row);
    const back = await endAndRefund(tx, row, { state: "cancelled", reason: null, at });
    const details = { formula: row.formula, amountCents: row.paidCents };
    await auditAct(tx, { caller, origin }, "subscription.cancel", { details, at });
    await announceSubscription(tx, deps, row, {
      title: "Abonnement annulé",
      body: `L’abonnement ${ofName(row.holder)} est annulé.`,
      paid: { more: back },
      at,
    });
    return { message: `L’abonnement est annulé. ${back}` };
  });
}

async function requireNoSuccessor(
  tx: Tx,
  { id, personId, startsOn }: SubscriptionRow,
): Promise<void> {
  const { rows } = await sql`select from subscription where person_id = ${personId}
    and state = 'active' and starts_on > ${startsOn}::date and id <> ${id}`.execute(tx);
  if (rows.length > 0) throw new Problem("subscription_followed");
}

/**
 * Ends a subscription and refunds the whole price; answers the French sentence that says to which wallets.
 */
export async function endAndRefund(
  tx: Tx,
  row: SubscriptionRow,
  { state, reason, at }: { state: "cancelled" | "refused"; reason: string | null; at: Date },
): Promise<string> {
  await sql`update subscription set state = ${state}, reason = ${reason}, ended_at = ${at},
    changed_at = ${at} where id = ${row.id}`.execute(tx);
  await syncMembershipDates(tx, row.id);
  const back = await refund(tx, subscriptionSale, {
    orderId: row.id,
    amountCents: row.paidCents ?? 0,
    label: state === "cancelled" ? "Abonnement annulé" : "Abonnement refusé",
    at,
  });
  return back.refundCents > 0
    ? `Vous êtes remboursé\u202f: ${refundedTo(back)}.`
    : "Rien n’était payé.";
}
