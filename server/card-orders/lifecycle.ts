// Life cycle of a placed order: cancelled before it is printed, produced, acknowledged, shipped, received.
import { sql } from "kysely";
import type { cardDispatch as dispatchRows, CardDispatch } from "#contract/card-orders/dispatch.ts";
import { cardOrderCan, type CardOrderState } from "#contract/card-orders/states.ts";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { refund, refundedTo } from "#server/checkout/checkout.ts";
import { inCompanyTx, issueProCards, withdrawProCards } from "#server/companies/companies.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Call } from "#server/http/serve.ts";
import { fullName } from "#server/cards/cards.ts";
import { auditAct, auditOperator } from "#server/identity/identity.ts";
import { issueInvoice, paidOf, refundInvoice } from "#server/invoices/invoices.ts";
import type { Deps } from "#server/process/deps.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { announceBearers, announceOrder } from "./announcements.ts";
import { dispatchOf } from "./views.ts";
import { type CardOrderRow, lockNumbered, lockOrderOf, personsOf, quantityOf } from "./orders.ts";
import { cardOrderSale, invoiceOf } from "./sale.ts";

/** Refuses `card_order_state` unless the order permits it. */
export function requireState(
  row: CardOrderRow,
  may: (order: { state: CardOrderState }) => boolean,
): void {
  if (!may(row)) throw new Problem("card_order_state");
}

/** Cancels an order that is not at the printer: its cards are withdrawn, its money refunded. */
export async function cancelOrder(
  call: Call<typeof dispatchRows.cancel>,
): Promise<{ data: CardDispatch }> {
  const { deps, company, input } = call;
  await inCompanyTx(call, async (tx) => {
    const row = await lockPlaced(tx, company.companyId, input.order);
    const at = deps.now();
    const back = await endOrder(tx, deps, row, at);
    await auditAct(tx, call, "card_order.cancel", { details: { order: row.number }, at });
    await announceOrder(tx, deps, row, {
      title: "Commande de cartes annulée",
      what: `est annulée. ${back}`,
      at,
      outside: true,
    });
  });
  return { data: await dispatchOf(deps.db, company, input.order) };
}

/** The operator refuses an order that is not at the printer, with the reason that its owners read. */
export function refuseOrder(
  deps: OperatorDeps,
  { number, operator, reason }: OperatorCall & { reason: string },
): Promise<{ row: CardOrderRow; back: string }> {
  return inTx(deps.db, async (tx) => {
    const row = await lockNumbered(tx, number);
    const at = deps.now();
    const back = await endOrder(tx, deps, row, at);
    await record(tx, row, { action: "card_order.refuse", operator, at });
    const why = /[.!?…]$/.test(reason) ? reason : `${reason}.`;
    await announceOrder(tx, deps, row, {
      title: "Commande de cartes refusée",
      what: `est refusée\u00a0: ${why} ${back}`,
      at,
      outside: true,
    });
    return { row, back };
  });
}

/** Ends an order before it is printed; returns the sentence about its money. Refuses `card_order_state`. */
async function endOrder(tx: Tx, deps: OperatorDeps, row: CardOrderRow, at: Date): Promise<string> {
  requireState(row, cardOrderCan.cancel);
  await sql`update card_order set state = 'cancelled', cancelled_at = ${at}, changed_at = ${at}
    where id = ${row.id}`.execute(tx);
  const why = `Commande de cartes n° ${row.number} annulée`;
  await withdrawProCards(tx, deps, { orderId: row.id, why, at });
  await sql`delete from card_order_person where order_id = ${row.id}`.execute(tx);
  return await giveBack(tx, deps, row, at);
}

/**
 * Refunds an order: a credit note corrects the invoice; what wallets paid, at the order or later, is refunded
 * to them; what came by transfer stays open on the credit note until it is sent back. Returns the sentence
 * about it.
 */
async function giveBack(tx: Tx, deps: OperatorDeps, row: CardOrderRow, at: Date): Promise<string> {
  const { price, invoiceId } = row;
  if (!price || !invoiceId) throw new Error("an order without an invoice");
  const paid = row.paidBy === "checkout";
  const { id: creditNoteId, number } = await issueInvoice(
    tx,
    { ...deps, now: () => at },
    {
      ...invoiceOf(row, price, { at }),
      kind: "credit_note",
      correctsId: invoiceId,
      dueOn: parisDay(at),
      prepaidCents: paid ? price.totalCents : 0,
    },
  );
  const label = `Annulation de la commande de cartes n° ${row.number}`;
  if (!paid) {
    const back = await refundInvoice(tx, { invoiceId, creditNoteId, label, at });
    const { transferCents } = await paidOf(tx, invoiceId);
    return [
      `L'avoir ${number} annule la facture.`,
      ...(back ? [`Vous êtes remboursé\u00a0: ${refundedTo(back)}.`] : []),
      ...(transferCents > 0 ? [`${formatMoney(transferCents)} vous seront virés.`] : []),
    ].join(" ");
  }
  if (price.totalCents === 0) return `L'avoir ${number} annule la facture.`;
  const amountCents = price.totalCents;
  const returned = await refund(tx, cardOrderSale, { orderId: row.id, amountCents, at, label });
  return `Vous êtes remboursé\u00a0: ${refundedTo(returned)}, avoir ${number}.`;
}

/** Records that the cards arrived: each can be handed out and activated; their bearers are told. */
export async function receiveOrder(
  call: Call<typeof dispatchRows.receive>,
): Promise<{ data: CardDispatch }> {
  const { deps, company, input } = call;
  await inCompanyTx(call, async (tx) => {
    const row = await lockPlaced(tx, company.companyId, input.order);
    const at = deps.now();
    await deliver(tx, deps, row, at);
    await auditAct(tx, call, "card_order.receive", { details: { order: row.number }, at });
  });
  return { data: await dispatchOf(deps.db, company, input.order) };
}

/** An order that a company placed, locked. Refuses `not_found`, for a draft too. */
async function lockPlaced(tx: Tx, companyId: string, id: string): Promise<CardOrderRow> {
  const row = await lockOrderOf(tx, companyId, id);
  if (row.state === "draft") throw new Problem("not_found");
  return row;
}

async function deliver(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  row: CardOrderRow,
  at: Date,
): Promise<void> {
  requireState(row, cardOrderCan.receive);
  await sql`update card_order set state = 'delivered', delivered_at = ${at}, changed_at = ${at}
    where id = ${row.id}`.execute(tx);
  await moveCards(tx, row.id, { from: "shipped", to: "received" });
  await announceBearers(tx, deps, { id: row.id, at });
}

/** Moves the first cards of an order to its state; a card whose own state changed meanwhile stays. */
async function moveCards(
  tx: Tx,
  orderId: string,
  { from, to }: { from: "in_production" | "shipped"; to: "approved" | "shipped" | "received" },
): Promise<void> {
  await sql`update card c set state = ${to} from pro_card k
    where k.person_id = c.person_id and k.order_id = ${orderId} and c.replaces is null
      and c.state = ${from}`.execute(tx);
}

/**
 * Makes the persons and cards of an order, accepted and still to be printed; only once, whatever happens to
 * the batch. Refuses `not_found`, and `card_order_state` for an order that is not to be made.
 */
export async function makeOrderedCards(tx: Tx, number: number, at: Date): Promise<void> {
  const row = await lockNumbered(tx, number);
  requireState(row, cardOrderCan.produce);
  const { id: orderId, companyId } = row;
  // Cards of a lost parcel are printed again as they are.
  const { rows: made } = await sql`
    select from pro_card where order_id = ${orderId} limit 1`.execute(tx);
  if (made.length > 0) return;
  const persons = await personsOf(tx, orderId);
  const bearers = persons.map(({ firstName, lastName, email, phonenumber }) => ({
    name: fullName(firstName, lastName),
    email,
    phonenumber,
  }));
  await sql`delete from card_order_person where order_id = ${orderId}`.execute(tx);
  const ordered = { companyId, orderId, count: quantityOf(row), bearers };
  await issueProCards(tx, { ...ordered, at });
}

/** In the transaction that makes the batch of the order's cards. Refuses `card_order_state`. */
export async function markInProduction(
  tx: Tx,
  deps: OperatorDeps,
  number: number,
  { batch, at }: { batch: number; at: Date },
): Promise<void> {
  const row = await lockNumbered(tx, number);
  requireState(row, cardOrderCan.produce);
  await sql`update card_order set state = 'in_production', batch_number = ${batch},
    produced_at = ${at}, changed_at = ${at} where id = ${row.id}`.execute(tx);
  await announceOrder(tx, deps, row, {
    title: "Cartes pro en fabrication",
    what: "est en fabrication. Elle ne peut plus être annulée.",
    at,
  });
}

interface OperatorCall {
  number: number;
  operator: string;
}

/**
 * Keeps the printer's own reference of the order, which shows that it has the file. Refuses
 * `card_order_state`.
 */
export function acknowledgeOrder(
  deps: OperatorDeps,
  { number, operator, reference }: OperatorCall & { reference: string },
): Promise<CardOrderRow> {
  return inTx(deps.db, async (tx) => {
    const row = await lockNumbered(tx, number);
    requireState(row, cardOrderCan.ship);
    const at = deps.now();
    await sql`update card_order set printer_reference = ${reference},
      acknowledged_at = coalesce(acknowledged_at, ${at}), changed_at = ${at}
      where id = ${row.id}`.execute(tx);
    await record(tx, row, { action: "card_order.acknowledge", operator, at });
    return row;
  });
}

/**
 * Records that the parcel left; the owners are told. Refuses `card_order_state`, `card_order_unacknowledged`
 * before the printer acknowledged the file.
 */
export function shipOrder(
  deps: OperatorDeps,
  {
    number,
    operator,
    carrier,
    tracking,
  }: OperatorCall & { carrier: string; tracking: string | null },
): Promise<CardOrderRow> {
  return inTx(deps.db, async (tx) => {
    const row = await lockNumbered(tx, number);
    requireState(row, cardOrderCan.ship);
    if (!row.acknowledgedAt) throw new Problem("card_order_unacknowledged");
    const at = deps.now();
    await sql`update card_order set state = 'shipped', carrier = ${carrier}, tracking = ${tracking},
      shipped_at = ${at}, changed_at = ${at} where id = ${row.id}`.execute(tx);
    await moveCards(tx, row.id, { from: "in_production", to: "shipped" });
    await record(tx, row, { action: "card_order.ship", operator, at });
    const parcel = tracking === null ? carrier : `${carrier}, colis ${tracking}`;
    await announceOrder(tx, deps, row, {
      title: "Cartes pro expédiées",
      what: `est partie (${parcel}). Dites-nous quand vous l'avez reçue\u00a0: les cartes peuvent alors être remises.`,
      at,
      outside: true,
    });
    return row;
  });
}

/**
 * The order of a parcel that may be recorded as lost, its row locked. Refuses `card_order_state`,
 * `card_order_arrived`.
 */
async function lockLost(tx: Tx, number: number): Promise<CardOrderRow> {
  const row = await lockNumbered(tx, number);
  requireState(row, cardOrderCan.lose);
  const { rows: served } = await sql`select from card c join pro_card k on k.person_id = c.person_id
    where k.order_id = ${row.id} and c.replaces is null and c.activated_at is not null
    limit 1`.execute(tx);
  if (served.length > 0) throw new Problem("card_order_arrived");
  return row;
}

/** The order whose parcel `loseOrder` would record as lost; refuses as it does, and changes nothing. */
export const previewLoss = (deps: OperatorDeps, number: number): Promise<CardOrderRow> =>
  inTx(deps.db, (tx) => lockLost(tx, number));

/**
 * Records that the parcel was lost: the order begins again at its price, so that its owner waits for new
 * cards or cancels it. The secrets of letters under way are void until new letters replace them. Refuses
 * `card_order_state`, `card_order_arrived` once a card of the parcel was used.
 */
export function loseOrder(
  deps: OperatorDeps,
  { number, operator, reason }: OperatorCall & { reason: string },
): Promise<CardOrderRow> {
  return inTx(deps.db, async (tx) => {
    const row = await lockLost(tx, number);
    const at = deps.now();
    await sql`update card_order set state = 'ordered', batch_number = null, produced_at = null,
      printer_reference = null, acknowledged_at = null, carrier = null, tracking = null,
      shipped_at = null, changed_at = ${at} where id = ${row.id}`.execute(tx);
    await moveCards(tx, row.id, { from: "shipped", to: "approved" });
    await record(tx, row, { action: "card_order.lost", operator, why: reason, at });
    await announceOrder(tx, deps, row, {
      title: "Colis de cartes pro perdu",
      what:
        "s'est perdue en route. Nous fabriquons les cartes à nouveau, sans rien vous compter de plus, avec de " +
        "nouveaux secrets\u00a0: ceux du colis n'ouvrent rien. Jusqu'à leur fabrication vous pouvez aussi " +
        "l'annuler\u00a0: vous êtes alors remboursé.",
      at,
      outside: true,
    });
    return row;
  });
}

/** Records that the parcel arrived, where the company does not do so itself. Refuses `card_order_state`. */
export function deliverOrder(
  deps: OperatorDeps,
  { number, operator }: OperatorCall,
): Promise<CardOrderRow> {
  return inTx(deps.db, async (tx) => {
    const row = await lockNumbered(tx, number);
    const at = deps.now();
    await deliver(tx, deps, row, at);
    await record(tx, row, { action: "card_order.deliver", operator, at });
    return row;
  });
}

const record = (
  tx: Tx,
  row: CardOrderRow,
  { action, operator, why, at }: { action: string; operator: string; why?: string; at: Date },
): Promise<void> =>
  auditOperator(tx, operator, action, {
    personId: row.personId,
    details: { order: row.number, ...(why !== undefined && { why }) },
    at,
  });
