// A purchase before it is paid: begun, changed, cancelled, always resumable (spec.md 7). Its price is
// computed at each read, until the payment begins and freezes it.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { daysBetween, parisDay } from "#contract/days.ts";
import type { Parsed } from "#contract/endpoint.ts";
import { passOrderCan, type PassOrderState } from "#contract/passes/states.ts";
import type { passes, PassOrder } from "#contract/passes/rows.ts";
import type { Price } from "#contract/passes/fares.ts";
import { Problem } from "#contract/errors.ts";
import { abandonOrder, reviseOrder } from "#server/checkout/checkout.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { profileOf } from "#server/entitlements/entitlements.ts";
import { holderFor, lockTieForShare, mayActFor } from "#server/family/family.ts";
import type { Caller } from "#server/http/caller.ts";
import { orderPaymentSql } from "#server/payments/payments.ts";
import {
  fareGroupOf,
  type Product,
  productOf,
  toProductView,
  type Quote,
  quoteOf,
} from "./catalogue.ts";
import { isCovered, ridersOf } from "./coverage.ts";
import { withEmployerShare } from "./employer-share.ts";
import { requireNoOverlap, spansHeld } from "./pass-rows.ts";
import { stopIn, stopOf } from "./stops.ts";
import { lastDayOf, mayStart, spanOf, startOf } from "./validity.ts";
import type { Document } from "#contract/documents/rows.ts";
import { attachDocuments, deleteDocuments, documentsOf } from "#server/documents/documents.ts";

export interface OrderRow {
  id: string;
  buyerId: number;
  holderId: number;
  holder: string;
  cardnumber: number;
  productId: string;
  state: PassOrderState;
  revision: number;
  startOn: string | null;
  stopId: string | null;
  stopName: string | null;
  photoId: string | null;
  topUpId: string | null;
  fullCents: number | null;
  priceCents: number | null;
  priceReason: string | null;
  lateFeeCents: number | null;
  employerCents: number;
  employerPercent: number | null;
  employerName: string | null;
  employerEnrolment: string | null;
  exemption: PassOrder["exemption"]["state"];
  exemptionRequestedAt: Date | null;
  exemptionAnswer: string | null;
  passId: string | null;
}

const ordersWhere = async (db: Db, condition: ReturnType<typeof sql>) =>
  (
    await sql<OrderRow>`
      select o.id, o.person_id as buyer_id, o.holder_id, h.name as holder,
        (select number from current_card(o.holder_id)) as cardnumber,
        o.product_id, o.state, o.revision,
        o.start_on, o.stop_id, o.stop_name,
        o.photo_id, payment.open_id as top_up_id, o.full_cents,
        o.price_cents, o.price_reason,
        o.late_fee_cents, o.employer_cents,
        o.employer_percent, o.employer_name,
        o.employer_enrolment, o.exemption, o.exemption_requested_at,
        o.exemption_answer,
        (select p.id from pass p where p.order_id = o.id and p.replaces is null) as pass_id
      from pass_order o join person h on h.id = o.holder_id ${orderPaymentSql("pass", "o")}
      where ${condition} order by o.number`.execute(db)
  ).rows;

/** SQL: whether a purchase `o` is the caller's or their child's, for a card that they may still act for. */
const isOf = (callerId: number) =>
  sql<boolean>`${mayActFor(callerId, sql.ref("o.person_id"))}
    and ${mayActFor(callerId, sql.ref("o.holder_id"))}`;

/** A purchase of the caller or of their child, by its id; anybody else's is `not_found`. */
export async function readOrderOf(db: Db, callerId: number, id: string): Promise<OrderRow> {
  const [found] = await ordersWhere(db, sql`o.id = ${id} and ${isOf(callerId)}`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** The same, locked until the end of the transaction. */
export async function lockOrderOf(tx: Tx, callerId: number, id: string): Promise<OrderRow> {
  await sql`select from pass_order o where id = ${id} and ${isOf(callerId)} for update`.execute(tx);
  return await readOrderOf(tx, callerId, id);
}

/** A purchase by its id, locked, whoever asks: for payments and the operator. */
export async function lockOrder(tx: Tx, id: string): Promise<OrderRow> {
  await sql`select from pass_order where id = ${id} for update`.execute(tx);
  const [found] = await ordersWhere(tx, sql`o.id = ${id}`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** One's own open purchases. */
export async function readOpenOrdersOf(deps: Deps, personId: number): Promise<PassOrder[]> {
  const open = sql`o.person_id = ${personId} and o.state in ('draft', 'awaiting_payment')
    and ${isOf(personId)}`;
  const found = await ordersWhere(deps.db, open);
  return await Promise.all(found.map((row) => toOrderView(deps, deps.db, row)));
}

/** The first day of a purchase: the one chosen, or the first that is possible. */
export const startDayOf = (order: OrderRow, product: Product, today: string): string =>
  order.startOn ?? startOf(product, today).from;

/** Price and eligibility as they are today; the frozen price once the payment has begun. */
export async function quoteNow(
  db: Db,
  order: OrderRow,
  product: Product,
  today: string,
): Promise<Quote> {
  const startOn = startDayOf(order, product, today);
  const rider = await profileOf(db, order.holderId, startOn);
  const exempted = order.exemption === "accepted";
  const quote = quoteOf(product, rider, { startOn, today, exempted });
  const frozen = frozenPrice(order);
  if (frozen) return { ...quote, price: frozen, provable: false };
  const whose = { product, holderId: order.holderId, startOn };
  return { ...quote, price: await withEmployerShare(db, quote.price, whose) };
}

function frozenPrice(order: OrderRow): Price | null {
  const { fullCents, priceCents, priceReason, lateFeeCents } = order;
  if (passOrderCan.change(order) || priceCents === null || lateFeeCents === null) return null;
  // Exempted while the payment is under way: the amount paid in excess stays in the wallet.
  const late = order.exemption === "accepted" && order.state !== "paid" ? 0 : lateFeeCents;
  const { employerCents, employerPercent: percent, employerName: name } = order;
  const { employerEnrolment: enrolment } = order;
  return {
    fullCents: fullCents ?? priceCents,
    cents: priceCents,
    reason: priceReason ?? "",
    lateFeeCents: late,
    employer:
      name && percent && enrolment ? { name, percent, cents: employerCents, enrolment } : null,
    totalCents: priceCents - employerCents + late,
  };
}

/** A purchase as the contract shows it. */
export async function toOrderView(deps: Deps, db: Db, order: OrderRow): Promise<PassOrder> {
  const product = await productOf(db, order.productId);
  const today = parisDay(deps.now());
  const { price, ineligibility, provable } = await quoteNow(db, order, product, today);
  const { startOn } = order;
  const single = product.kind === "single";
  return {
    id: order.id,
    state: order.state,
    revision: order.revision,
    group: await fareGroupOf(db, product.groupId),
    product: toProductView(product, today),
    cardnumber: order.cardnumber,
    holder: order.holder,
    start: await startFor(db, order, product, deps.now()),
    startOn,
    lastDay: startOn === null || single ? null : lastDayOf(product, startOn),
    stop: stopOf(order),
    photo: order.photoId === null ? null : await readPhoto(db, order.id),
    price,
    riders: await ridersOf(db, product, { buyerId: order.buyerId, at: deps.now() }),
    ineligibility: product.onSale ? ineligibility : "Ce titre n’est plus en vente.",
    provable: product.onSale && provable,
    exemption: {
      state: order.exemption,
      requestedAt: order.exemptionRequestedAt?.toISOString() ?? null,
      answer: order.exemptionAnswer,
    },
    pass: order.passId,
    topUp: order.topUpId,
  };
}

/** When a purchase may begin, with the spans that the rider's own passes cover already. */
async function startFor(
  db: Db,
  { holderId }: OrderRow,
  product: Product,
  at: Date,
): Promise<PassOrder["start"]> {
  const today = parisDay(at);
  const start = startOf(product, today);
  const held =
    start.choices.length > 0 ? await spansHeld(db, { holderId, productId: product.id, at }) : [];
  const choices = start.choices.map(({ on, label }) => {
    const begun = product.kind === "month" && on === today;
    return {
      on,
      label,
      covered: isCovered(held, spanOf(product, on, at)),
      leftDays: begun ? 1 + daysBetween(today, lastDayOf(product, on)) : null,
    };
  });
  return { ...start, choices };
}

/**
 * Begins a purchase of a product for a card (one's own or one's child's), or answers the open one of this
 * product, now for this card. Refuses `not_found`, `pass_off_sale`, and `pass_order_state` while the bank
 * processes a payment of the same product for a former child.
 */
export async function startOrder(
  deps: Deps,
  caller: Caller,
  input: { product: string; cardnumber: number },
): Promise<PassOrder> {
  const { personId } = caller;
  const { id: holderId } = await holderFor(deps.db, personId, input.cardnumber);
  const product = await productOf(deps.db, input.product);
  if (!product.onSale) throw new Problem("pass_off_sale");
  const at = deps.now();
  return await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, { actor: personId, owner: holderId });
    await sql`
      insert into pass_order (id, person_id, holder_id, product_id, state, created_at, updated_at)
      values (${randomUUID()}, ${personId}, ${holderId}, ${product.id}, 'draft', ${at}, ${at})
      on conflict (person_id, product_id) where state in ('draft', 'awaiting_payment')
      do update set holder_id = excluded.holder_id, revision = pass_order.revision + 1,
        start_on = null, updated_at = excluded.updated_at
      where pass_order.state = 'draft' and pass_order.holder_id <> excluded.holder_id`.execute(tx);
    const [order] = await ordersWhere(
      tx,
      sql`o.person_id = ${personId} and o.product_id = ${product.id}
        and o.state in ('draft', 'awaiting_payment') and ${isOf(personId)}`,
    );
    if (!order) throw new Problem("pass_order_state");
    return await toOrderView(deps, tx, order);
  });
}

type Change = Parsed<typeof passes.change>;

/**
 * Changes a draft: for which card, from which day, from which stop. Each change is a new revision.
 * Refuses `pass_order_state`, `pass_start`, `pass_stop`, `pass_overlap`, `pass_not_entitled`, and as `reviseOrder`.
 */
export function changeOrder(deps: Deps, caller: Caller, change: Change): Promise<PassOrder> {
  return inTx(deps.db, async (tx) => {
    const before = await lockOrderOf(tx, caller.personId, change.order);
    if (!passOrderCan.change(before)) throw new Problem("pass_order_state");
    const product = await productOf(tx, before.productId);
    const holderId =
      change.cardnumber === undefined
        ? before.holderId
        : (await holderFor(tx, caller.personId, change.cardnumber)).id;
    const stop =
      change.stop === undefined ? stopOf(before) : await stopIn(tx, product.groupId, change.stop);
    const startOn = change.startOn === undefined ? before.startOn : change.startOn;
    const photoId = change.photo === undefined ? before.photoId : change.photo;
    if (photoId !== before.photoId) {
      const { personId } = caller;
      const at = deps.now();
      await replacePhoto(tx, { personId, orderId: before.id, photo: photoId, at });
    }
    await reviseOrder(
      tx,
      { kind: "pass", table: "pass_order", id: before.id },
      sql`holder_id = ${holderId}, start_on = ${startOn},
        stop_id = ${stop ? String(stop.id) : null}, stop_name = ${stop?.name ?? null},
        photo_id = ${photoId}, updated_at = ${deps.now()}`,
    );
    const order = await readOrderOf(tx, caller.personId, before.id);
    await requirePurchasable(tx, order, product, { at: deps.now(), late: false });
    return await toOrderView(deps, tx, order);
  });
}

/**
 * Refuses a purchase that may not be bought as it is; missing parts are not checked. When it is paid late,
 * the first day may have passed: the remaining validity must not be empty.
 */
export async function requirePurchasable(
  tx: Tx,
  order: OrderRow,
  product: Product,
  { at, late }: { at: Date; late: boolean },
): Promise<void> {
  const today = parisDay(at);
  const { startOn, holderId, productId } = order;
  const { ineligibility } = await quoteNow(tx, order, product, today);
  if (ineligibility !== null) throw new Problem("pass_not_entitled", { why: ineligibility });
  if (startOn === null && !late) return;
  const { from, until } = spanOf(product, startDayOf(order, product, today), at);
  const starts = late ? until > at : mayStart(product, startOn ?? today, today);
  if (!starts) throw new Problem("pass_start");
  await requireNoOverlap(tx, { holderId, productId, from, until, at });
}

/** Cancels a purchase. Money that still arrives for it stays in the wallet. */
export function cancelOrder(deps: Deps, caller: Caller, id: string): Promise<{ message: string }> {
  return inTx(deps.db, async (tx) => {
    const order = await lockOrderOf(tx, caller.personId, id);
    // A second click finds it cancelled.
    if (order.state !== "cancelled") {
      if (!passOrderCan.cancel(order)) throw new Problem("pass_order_state");
      await abandonOrder(tx, { kind: "pass", id: order.id });
      await sql`update pass_order set state = 'cancelled', updated_at = ${deps.now()}
        where id = ${order.id}`.execute(tx);
    }
    return { message: "L’achat est abandonné." };
  });
}

/** Owner of the photo and documents of a purchase (server/documents). */
export const photoOwner = (orderId: string) => ({ kind: "pass_photo", id: orderId });
export const exemptionOwner = (orderId: string) => ({ kind: "pass_exemption", id: orderId });

/**
 * Attaches an unattached document of the caller as the photo, replacing the present one; null removes the
 * photo.
 */
export async function replacePhoto(
  tx: Tx,
  change: { personId: number; orderId: string; photo: string | null; at: Date },
): Promise<void> {
  const { personId, orderId, photo, at } = change;
  await deleteDocuments(tx, photoOwner(orderId));
  if (photo === null) return;
  await attachDocuments(tx, { personId, ids: [photo], to: photoOwner(orderId), at });
}

/** The photo as the screens show it, null without one. */
export async function readPhoto(db: Db, orderId: string): Promise<Document | null> {
  const [photo] = await documentsOf(db, photoOwner(orderId));
  return photo ? { id: photo.id, name: photo.name, kind: photo.kind, bytes: photo.bytes } : null;
}

/** Whoever may read a purchase may read its files. */
export async function mayReadOrder(db: Db, personId: number, orderId: string): Promise<boolean> {
  const found = await query(db).maybeOne(sql<{ may: boolean }>`
    select ${isOf(personId)} as may from pass_order o
    where o.id = ${orderId}`);
  return found?.may ?? false;
}
