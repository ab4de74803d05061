// Exemption from the late fee of a pass bought after the deadline: requested with a reason, decided by
// the operator; a fee already paid is refunded to the wallet that paid it.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import type { Parsed } from "#contract/endpoint.ts";
import type { passes, PassOrder } from "#contract/passes/rows.ts";
import { Problem } from "#contract/errors.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { attachDocuments, documentsOf } from "#server/documents/documents.ts";
import { refund, refundedTo, type RefundView } from "#server/checkout/checkout.ts";
import type { Caller } from "#server/http/caller.ts";
import { auditOperator } from "#server/identity/identity.ts";
import { asSentence } from "#server/notifications/notifications.ts";
import { productOf } from "./catalogue.ts";
import {
  lockOrder,
  lockOrderOf,
  readOrderOf,
  type OrderRow,
  toOrderView,
  quoteNow,
  exemptionOwner,
} from "./orders.ts";
import { passSale } from "./sale.ts";
import { announcePass } from "./announcements.ts";

/**
 * Requests an exemption from the late fee, before or after paying. Refuses `exemption_none` where
 * there is no fee, `exemption_requested` a second time, `pass_order_state` for a purchase given up.
 */
export function askExemption(
  deps: Deps,
  caller: Caller,
  { order: id, reason, documents = [] }: Parsed<typeof passes.exempt>,
): Promise<PassOrder> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const order = await lockOrderOf(tx, caller.personId, id);
    if (order.state === "cancelled") throw new Problem("pass_order_state");
    if (order.exemption !== "none") throw new Problem("exemption_requested");
    const product = await productOf(tx, order.productId);
    const { price } = await quoteNow(tx, order, product, parisDay(at));
    if (price.lateFeeCents === 0) throw new Problem("exemption_none");
    await sql`update pass_order set exemption = 'requested', exemption_reason = ${reason},
      exemption_requested_at = ${at} where id = ${order.id}`.execute(tx);
    const to = exemptionOwner(order.id);
    await attachDocuments(tx, { personId: caller.personId, ids: documents, to, at });
    return await toOrderView(deps, tx, await readOrderOf(tx, caller.personId, id));
  });
}

export interface WaitingExemption {
  number: number;
  product: string;
  holder: string;
  reason: string;
  requestedAt: Date;
  paid: boolean;
  /** Ids for `documents save`. */
  documentIds: string[];
}

/** Exemptions that wait for the operator, the oldest first, at most 200. */
export async function waitingExemptions(db: Db): Promise<WaitingExemption[]> {
  const { rows } = await sql<Omit<WaitingExemption, "documentIds"> & { id: string }>`
    select o.id, o.number, f.name as product, h.name as holder, o.exemption_reason as reason,
      o.exemption_requested_at as requested_at, o.state = 'paid' as paid
    from pass_order o join fare_product f on f.id = o.product_id join person h on h.id = o.holder_id
    where o.exemption = 'requested' order by o.number limit 200`.execute(db);
  const sent = await documentsOf(
    db,
    rows.map(({ id }) => exemptionOwner(id)),
  );
  return rows.map(({ id, ...one }) => ({
    ...one,
    documentIds: sent.filter(({ of }) => of === id).map((document) => document.id),
  }));
}

/**
 * Answers an exemption by the number of its purchase. Accepted: the fee is no longer charged, and a paid one
 * is refunded. Refused: the buyer reads why. Gives the refund in cents.
 */
export function answerExemption(
  deps: OperatorDeps,
  { number, refusal, operator }: { number: number; refusal: string | null; operator: string },
): Promise<{ holder: string; backCents: number }> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const order = await lockExemptionRequest(tx, number);
    const product = await productOf(tx, order.productId);
    const state = refusal === null ? "accepted" : "refused";
    await sql`update pass_order set exemption = ${state}, exemption_answer = ${refusal}
      where id = ${order.id}`.execute(tx);
    const back = refusal === null ? await refundLateFee(tx, order, at) : null;
    const returned = back?.refundCents ? `${refundedTo(back)} vous reviennent.` : "";
    await auditOperator(tx, operator, `pass.exemption_${state}`, {
      personId: order.buyerId,
      details: { name: product.name },
      at,
    });
    await announcePass(tx, deps, {
      holderId: order.holderId,
      payer: { id: order.buyerId, ...(returned && { more: returned }) },
      name: product.name,
      groupId: product.groupId,
      title: refusal === null ? "Frais de retard annulés" : "Frais de retard maintenus",
      what:
        refusal === null
          ? "n’a plus de frais de retard."
          : `garde ses frais de retard : ${asSentence(refusal)}`,
      at,
      outside: true,
    });
    return { holder: order.holder, backCents: back?.refundCents ?? 0 };
  });
}

async function lockExemptionRequest(tx: Tx, number: number) {
  const found = await query(tx).maybeOne(sql<{ id: string }>`
    select id from pass_order where number = ${number}`);
  if (!found) throw new Problem("not_found");
  const order = await lockOrder(tx, found.id);
  if (order.exemption !== "requested") throw new Problem("exemption_none");
  return order;
}

async function refundLateFee(tx: Tx, order: OrderRow, at: Date): Promise<RefundView | null> {
  if (order.state !== "paid" || !order.lateFeeCents) return null;
  return await refund(tx, passSale, {
    orderId: order.id,
    amountCents: order.lateFeeCents,
    label: "Frais de retard annulés",
    at,
  });
}
