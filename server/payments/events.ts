// Events of payment providers: each recorded once, applied if the state of its top-up allows, announced.
import { type RawBuilder, sql } from "kysely";
import { type TopUpState, topUpTransitions } from "#contract/payments/rows.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { postedUnder } from "#server/ledger/ledger.ts";
import { announce, publishChange } from "#server/notifications/notifications.ts";
import { endOrder, type PaymentDeps, settleOrder } from "./orders.ts";
import { announcedByOrigin } from "./origins.ts";
import { beyondCap } from "./cap.ts";
import {
  credit,
  park,
  reinstatedKey,
  settlePendingReturn,
  takeBack,
  type CreditedTopUp,
} from "./postings.ts";
import type { Charge, EventType, OtherNews, ProviderEvent, ProviderName } from "./provider.ts";
import { followedAt } from "./top-ups.ts";
import { receiptOf } from "./receipt.ts";
import { expiredReason, unfulfilledNews, newsOf, partlyRefunded } from "./top-up-news.ts";

/** The outcome of an event. */
export type EventOutcome = "applied" | "ignored" | "parked" | "suspense" | "repeated";

/**
 * Takes in an event of a provider, in one transaction: recorded once by its id, then applied if the state of
 * its top-up allows (states only go forward, in whatever order events come). A success after a refusal still
 * credits; a dispute or a refund implies a success that was not received yet.
 */
export async function takeEvent(
  deps: PaymentDeps,
  provider: ProviderName,
  event: ProviderEvent | OtherNews,
): Promise<EventOutcome> {
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const noted = await tx
      .insertInto("paymentEvent")
      .values({
        provider,
        eventId: event.id,
        topUpId: null,
        type: event.type,
        payload: JSON.stringify(event),
        receivedAt: at,
        outcome: "received",
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (noted.numInsertedOrUpdatedRows === 0n) return "repeated";
    const topUp = event.type === "other" ? undefined : await topUpOf(tx, provider, event.charge);
    const outcome = await outcomeOf(tx, deps, topUp, event, at);
    if (outcome === "parked") deps.log.warn({ event: event.id }, "payment event parked");
    await tx
      .updateTable("paymentEvent")
      .set({ outcome, topUpId: topUp?.id ?? null })
      .where("provider", "=", provider)
      .where("eventId", "=", event.id)
      .execute();
    return outcome;
  });
}

async function outcomeOf(
  tx: Tx,
  deps: PaymentDeps,
  topUp: CreditedTopUp | undefined,
  event: ProviderEvent | OtherNews,
  at: Date,
): Promise<EventOutcome> {
  if (event.type === "other") return event.forPerson ? "parked" : "ignored";
  return topUp ? await apply(tx, deps, topUp, event, at) : "parked";
}

/** By our reference while the provider's name of the charge is unknown (the start was interrupted). */
function topUpOf(tx: Tx, provider: ProviderName, { ref, reference }: Charge) {
  return lockedTopUp(
    tx,
    sql`t.provider = ${provider} and (t.provider_ref = ${ref}
      or (t.provider_ref is null and t.id::text = ${reference}))`,
  );
}

/** The top-up `t` that matches a condition, locked until the transaction ends. */
export async function lockedTopUp(
  tx: Tx,
  condition: RawBuilder<unknown>,
): Promise<CreditedTopUp | undefined> {
  const { rows } = await sql<CreditedTopUp>`
    select t.id, t.wallet_id, t.amount_cents, t.state, t.provider,
      t.provider_ref, t.refunded_cents,
      t.return_cents, w.person_id as owner_id, t.person_id as payer_id,
      (select name from person where id = w.person_id) as owner_name,
      (select name from person where id = t.person_id) as payer_name,
      w.object_id as "objectID", w.slug, w.group_id as idgroup, to_json(t.hold_ids) as hold_ids,
      case when t.order_id is not null then json_build_object('kind', t.order_kind,
        'id', t.order_id, 'label', t.order_label, 'path', t.order_path,
        'revision', t.order_revision) end as "order",
      t.origin, t.origin_id, t.origin_label,
      t.payment_method_id is not null as automatic,
      t.keep_payment_method, t.return_path,
      (select account_id from wallet_lot where wallet_id = w.id and kind = 'purchased')
        as purchased_account,
      (select account_id from scheme_account where name = 'payments:' || t.provider)
        as provider_account
    from top_up t join wallet w on w.id = t.wallet_id
    where ${condition} for no key update of t`.execute(tx);
  return rows[0];
}

/** The state that an event leads to. */
const target: Readonly<Record<EventType, TopUpState>> = {
  "charge.authorized": "authorized",
  "charge.succeeded": "credited",
  "charge.declined": "declined",
  "charge.expired": "declined",
  "charge.refunded": "refunded",
  "charge.disputed": "disputed",
};

async function apply(
  tx: Tx,
  deps: PaymentDeps,
  topUp: CreditedTopUp,
  event: ProviderEvent,
  at: Date,
): Promise<EventOutcome> {
  const to = target[event.type];
  const paid = to === "credited" || to === "refunded" || to === "disputed";
  const unpaid = ["initiated", "authorized", "declined"].includes(topUp.state);
  if (paid && unpaid) {
    if (event.charge.amountCents !== topUp.amountCents) {
      await park(tx, topUp, event.charge, at);
      await settleIn(tx, deps, topUp, "review", { ref: event.charge.ref, at });
      return "suspense";
    }
    // A gift was accepted without a check of the balance: the cap applies now.
    if (to === "credited" && topUp.origin === "link") {
      topUp.returnCents = await beyondCap(tx, deps.config, topUp);
    }
    await credit(tx, topUp, event.charge, at);
    await creditedIn(tx, deps, topUp, { ref: event.charge.ref, at, stays: to === "credited" });
    topUp.state = "credited";
    if (to === "credited") return "applied";
  }
  if (to === "refunded") return await refund(tx, deps, topUp, event.charge, at);
  // A dispute that was won is not opened again by a repeated event; a person ends a review.
  const decided = to === "disputed" && (await postedUnder(tx, reinstatedKey(topUp))).length > 0;
  const byPerson = topUp.state === "review" || topUp.state === "disputed";
  if (decided || byPerson || !topUpTransitions[topUp.state].includes(to)) {
    // Money that left in a state that does not allow it: a person decides.
    return to === "disputed" && topUp.state !== "disputed" ? "parked" : "ignored";
  }
  let owedCents = 0;
  if (to === "disputed") {
    const left = topUp.amountCents - topUp.refundedCents;
    const amountCents = Math.min(event.charge.takenCents ?? left, left);
    owedCents = await takeBack(tx, topUp, event.charge, { to, amountCents, at });
  }
  const reason = event.type === "charge.expired" ? expiredReason : undefined;
  const { ref } = event.charge;
  await settleIn(tx, deps, topUp, to, { ref, at, owedCents, ...(reason ? { reason } : {}) });
  return "applied";
}

/**
 * Takes out refunds that were not applied yet: a provider sends the total refunded so far, so events in any
 * order count once. A partial refund leaves the state as it is.
 */
async function refund(
  tx: Tx,
  deps: PaymentDeps,
  topUp: CreditedTopUp,
  charge: Charge,
  at: Date,
): Promise<EventOutcome> {
  const inReview = topUp.state === "review";
  if (topUp.state === "disputed") return await returnHeldPart(tx, topUp, charge, at);
  if (!inReview && topUp.state !== "credited") {
    return topUp.state === "refunded" ? "ignored" : "parked";
  }
  const whole = inReview ? charge.amountCents : topUp.amountCents;
  const refundedCents = Math.min(charge.takenCents ?? whole, whole);
  // Money in suspense leaves it whole or not at all.
  if (inReview && refundedCents < whole) return "parked";
  const amountCents = refundedCents - topUp.refundedCents;
  if (amountCents <= 0) return "ignored";
  const owedCents = await takeBack(tx, topUp, charge, { to: "refunded", amountCents, at });
  await tx
    .updateTable("topUp")
    .set({ refundedCents: Math.min(refundedCents, topUp.amountCents) })
    .where("id", "=", topUp.id)
    .execute();
  const { ref } = charge;
  if (refundedCents === whole) await settleIn(tx, deps, topUp, "refunded", { ref, at, owedCents });
  // The part beyond the cap was announced with the credit.
  else if (refundedCents > topUp.returnCents)
    await tellPart(tx, deps, topUp, { ...partlyRefunded(topUp, { amountCents, owedCents }), at });
  return "applied";
}

/**
 * A refund event may come after those of a dispute, or be asked for once it ended: the money set aside for
 * the payer leaves its account. For more than that a person decides.
 */
async function returnHeldPart(
  tx: Tx,
  topUp: CreditedTopUp,
  charge: Charge,
  at: Date,
): Promise<EventOutcome> {
  const amountCents = (charge.takenCents ?? topUp.amountCents) - topUp.refundedCents;
  if (amountCents <= 0) return "ignored";
  if (!(await settlePendingReturn(tx, topUp, charge, { amountCents, at }))) return "parked";
  await tx
    .updateTable("topUp")
    .set({ refundedCents: topUp.refundedCents + amountCents })
    .where("id", "=", topUp.id)
    .execute();
  return "applied";
}

/**
 * The money is in the wallet: an order takes it from there, unless the same event says that it is gone again.
 * The room of a settled order announces it.
 */
async function creditedIn(
  tx: Tx,
  deps: PaymentDeps,
  topUp: CreditedTopUp,
  { ref, at, stays }: { ref: string; at: Date; stays: boolean },
): Promise<void> {
  const { order } = topUp;
  if (!order) return await settleIn(tx, deps, topUp, "credited", { ref, at });
  const paid = { ...topUp, order };
  const { outcome, why } = stays
    ? await settleOrder(tx, deps, paid, at)
    : { outcome: "unapplied" as const, why: null };
  if (!stays) await endOrder(tx, deps, paid, at);
  const news = unfulfilledNews(topUp, { ...topUp, label: order.label, why });
  await tx
    .updateTable("topUp")
    .set({
      state: "credited",
      updatedAt: at,
      creditedAt: at,
      providerRef: ref,
      orderOutcome: outcome,
      reason: outcome === "unapplied" ? news.reason : null,
    })
    .where("id", "=", topUp.id)
    .execute();
  if (outcome === "unapplied" && stays) await noticeOf(tx, deps, topUp, { ...news, at });
  else await changedFor(tx, topUp);
}

/** The job that saves the payment method with which a person's own top-up was paid. */
export const keepTask = "keep_payment_method";

/** The job that refunds the part beyond the cap. */
export const returnTask = "return_beyond_cap";

/** Writes the state and notifies the people concerned. */
export async function settleIn(
  tx: Tx,
  deps: PaymentDeps,
  topUp: CreditedTopUp,
  state: TopUpState,
  {
    ref,
    at,
    reason,
    owedCents,
  }: { ref: string | null; at: Date; reason?: string; owedCents?: number },
): Promise<void> {
  const amountCents = topUp.amountCents - (state === "refunded" ? topUp.refundedCents : 0);
  const news = newsOf(topUp, state, { amountCents, owedCents });
  await tx
    .updateTable("topUp")
    .set({
      state,
      updatedAt: at,
      reason: reason ?? news?.reason ?? null,
      ...(ref ? { provider_ref: ref } : {}),
      ...(state === "credited" ? { credited_at: at, return_cents: topUp.returnCents } : {}),
    })
    .where("id", "=", topUp.id)
    .execute();
  if (state === "credited" && topUp.returnCents > 0) {
    await deps.enqueue(tx, returnTask, { topUp: topUp.id }, { key: `return:${topUp.id}` });
  }
  if (state === "credited" && topUp.keepPaymentMethod && topUp.origin === null) {
    await deps.enqueue(tx, keepTask, { topUp: topUp.id }, { key: `keep:${topUp.id}` });
  }
  const isAnnounced = await announcedByOrigin(tx, deps, topUp, { state, at });
  if (news && !isAnnounced) {
    const receipt = state === "credited" ? await receiptOf(tx, topUp, at) : [];
    // Only the payer is told that they may begin again.
    const body: Notice["body"] = (reader) =>
      reason !== undefined && reader.id === topUp.payerId ? reason : news.body(reader);
    await noticeOf(tx, deps, topUp, { title: news.title, body, receipt, at });
  }
  const { order } = topUp;
  const over = state === "declined" || state === "review";
  if (order && over) await endOrder(tx, deps, { ...topUp, order }, at);
}

/** Announces a partial refund: the state stays, its reason says how much. */
async function tellPart(
  tx: Tx,
  deps: PaymentDeps,
  topUp: CreditedTopUp,
  { title, body, reason, at }: ReturnType<typeof partlyRefunded> & { at: Date },
): Promise<void> {
  await tx.updateTable("topUp").set({ reason, updatedAt: at }).where("id", "=", topUp.id).execute();
  await noticeOf(tx, deps, topUp, { title, body, at });
}

interface Notice {
  title: string;
  body: (reader: { id: number }) => string;
  /** Lines of the receipt sent to the payer, outside the portal. */
  receipt?: readonly string[];
  at: Date;
}

async function noticeOf(
  tx: Tx,
  deps: PaymentDeps,
  topUp: CreditedTopUp,
  { receipt = [], ...news }: Notice,
): Promise<void> {
  const path = followedAt({ ...topUp, orderPath: topUp.order?.path ?? null });
  const payer = { id: topUp.payerId, receipt };
  const to = [topUp.ownerId];
  const changed = ["top_ups", "wallets", "funding", "payment_methods"] as const;
  await announce(tx, deps, { ...news, about: "top_up", to, payer, path, changed });
}

async function changedFor(tx: Tx, topUp: CreditedTopUp): Promise<void> {
  await publishChange(tx, [...new Set([topUp.payerId, topUp.ownerId])], "top_ups", "wallets");
}
