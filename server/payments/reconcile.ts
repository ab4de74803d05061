// Reconciliation: the portal asks the provider about charges whose webhook never came, so that no money is
// lost.
import { sql } from "kysely";
import { payments } from "#contract/limits.ts";
import { inTx } from "#server/db/db.ts";
import { lockedTopUp, settleIn, takeEvent } from "./events.ts";
import { chargeSavedMethod } from "./saved-methods.ts";
import type { PaymentDeps } from "./orders.ts";
import type { Charge, ChargeState, EventType, Provider, ProviderName } from "./provider.ts";
import { expiredReason } from "./top-up-news.ts";

interface StuckTopUp {
  id: string;
  createdAt: Date;
  ref: string | null;
  /** Charged off-session with a saved payment method: nobody was sent to a page. */
  alone: boolean;
}

/** The event that a charge's state stands for. */
const eventOf: Readonly<Partial<Record<ChargeState, EventType>>> = {
  pending: "charge.authorized",
  succeeded: "charge.succeeded",
  declined: "charge.declined",
  expired: "charge.expired",
  disputed: "charge.disputed",
  refunded: "charge.refunded",
};

/**
 * Asks the provider about top-ups that have had no outcome for a while, fifty at most, the least recently
 * asked first. One that was never paid is declined once its page has expired; a success after that still
 * credits. Answers how many it asked about.
 */
export async function reconcile(deps: PaymentDeps, provider: Provider): Promise<number> {
  const now = deps.now();
  const before = new Date(now.getTime() - payments.reconcileAfterSeconds * 1000);
  const { rows } = await sql<StuckTopUp>`
    update top_up set checked_at = ${now} where id in (
      select id from top_up
      where state in ('initiated', 'authorized') and provider = ${provider.name}
        and created_at <= ${before} and (checked_at is null or checked_at <= ${before})
      order by checked_at nulls first, created_at limit 50 for update skip locked)
    returning id, created_at, provider_ref as ref,
      payment_method_id is not null as alone`.execute(deps.db);
  for (const stuck of rows) {
    await reconcileTopUp(deps, provider, stuck).catch((error: unknown) => {
      deps.log.warn({ err: error, topUp: stuck.id }, "the provider could not be asked");
    });
  }
  return rows.length;
}

/** Asks about one top-up and applies the provider's answer. */
export async function reconcileTopUp(
  deps: PaymentDeps,
  provider: Provider,
  stuck: StuckTopUp,
): Promise<void> {
  const { id, ref, alone: offSession } = stuck;
  // A charge whose answer was lost may have taken the money: it is found by its key, and never expires just
  // because no answer came.
  const charge =
    offSession && ref === null
      ? await chargeSavedMethod(deps, provider, id)
      : await provider.ask({ reference: id, ref, offSession });
  if (charge && (await applyCharge(deps, provider, charge))) return;
  const age = (deps.now().getTime() - stuck.createdAt.getTime()) / 1000;
  if (age <= payments.pageLifeSeconds) return;
  // Closed at the provider first: nobody can pay an expired top-up. If it was paid just now, this throws, and
  // the next run finds it paid.
  if (charge) await provider.close?.(charge.ref);
  await expire(deps, id);
}

/** Applies a charge as the provider answered it; false when its state decides nothing yet. */
export async function applyCharge(
  deps: PaymentDeps,
  provider: Provider,
  charge: Charge,
): Promise<boolean> {
  const type = eventOf[charge.state];
  if (!type) return false;
  // The id contains the found state and amount: asked twice, it counts once.
  const sum = charge.takenCents === undefined ? "" : `:${charge.takenCents}`;
  await takeEvent(deps, provider.name, { id: `checked:${charge.ref}:${type}${sum}`, type, charge });
  return true;
}

/**
 * Refunds the payer the part beyond the cap, then asks for the state of the charge: the event may come by a
 * webhook too, and counts once. Throws when the provider is out of reach: the queue tries again.
 */
export async function returnBeyondCap(
  deps: PaymentDeps,
  named: (name: ProviderName) => Provider | null,
  id: string,
): Promise<void> {
  const topUp = await deps.db
    .selectFrom("topUp")
    .select(["provider", "providerRef as ref", "returnCents", "refundedCents"])
    .where("id", "=", id)
    .where("state", "=", "credited")
    .executeTakeFirst();
  const provider = topUp && named(topUp.provider);
  if (!provider || topUp.ref === null || topUp.refundedCents >= topUp.returnCents) return;
  await provider.refund(topUp.ref, topUp.returnCents);
  const charge = await provider.ask({ reference: id, ref: topUp.ref, offSession: false });
  if (charge) await applyCharge(deps, provider, charge);
}

async function expire(deps: PaymentDeps, id: string): Promise<void> {
  await inTx(deps.db, async (tx) => {
    const topUp = await lockedTopUp(
      tx,
      sql`t.id = ${id} and t.state in ('initiated', 'authorized')`,
    );
    if (!topUp) return;
    await settleIn(tx, deps, topUp, "declined", {
      ref: null,
      at: deps.now(),
      reason: expiredReason,
    });
  });
}
