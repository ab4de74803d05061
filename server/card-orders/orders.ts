// Orders of cards as rows: read, locked, and the next incomplete step of a draft.
import { type RawBuilder, sql } from "kysely";
import { type CardInk, cardOrders as limits } from "#contract/card-orders/limits.ts";
import { type CardOrderPrice, type CardPrices, priceOf } from "#contract/card-orders/price.ts";
import type { CardDelivery, CardDesign } from "#contract/card-orders/dispatch.ts";
import type { OrderedPerson } from "#contract/card-orders/rows.ts";
import type { CardOrderState, CardOrderStep } from "#contract/card-orders/states.ts";
import { dayMs } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { orderPaymentSql } from "#server/payments/payments.ts";

export interface CardOrderRow {
  id: string;
  number: number;
  companyId: string;
  personId: number;
  state: CardOrderState;
  revision: number;
  blank: number;
  /** Persons of the draft; `blank` more cards have no bearer. */
  persons: number;
  label: string | null;
  ink: CardInk | null;
  printsNames: boolean | null;
  deliverTo: CardDelivery["to"] | null;
  recipient: string | null;
  street: string | null;
  postcode: string | null;
  town: string | null;
  price: CardOrderPrice | null;
  paidBy: "checkout" | "invoice" | null;
  invoiceId: string | null;
  batchNumber: number | null;
  printerReference: string | null;
  carrier: string | null;
  tracking: string | null;
  orderedAt: Date | null;
  producedAt: Date | null;
  acknowledgedAt: Date | null;
  shippedAt: Date | null;
  deliveredAt: Date | null;
  cancelledAt: Date | null;
}

const columns = sql`o.id, o.number, o.company_id, o.person_id, o.state,
  o.revision, o.blank, o.label, o.ink, o.prints_names,
  (select count(*)::int from card_order_person p where p.order_id = o.id) as persons,
  o.deliver_to, o.recipient, o.street, o.postcode, o.town, o.price,
  o.paid_by, o.invoice_id, o.batch_number, o.printer_reference, o.carrier, o.tracking, o.ordered_at,
  o.produced_at, o.acknowledged_at, o.shipped_at,
  o.delivered_at, o.cancelled_at`;

/** Orders that match, the newest first. */
export async function cardOrdersWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  limit = 200,
): Promise<CardOrderRow[]> {
  const { rows } = await sql<CardOrderRow>`
    select ${columns} from card_order o where ${condition}
    order by o.number desc limit ${limit}`.execute(db);
  return rows;
}

/** A draft with its payment at the provider. */
export interface DraftRow extends CardOrderRow {
  topUp: string | null;
  paymentFailed: string | null;
}

/** The draft of a company, null for none. */
export const draftOf = (db: Db, companyId: string): Promise<DraftRow | null> =>
  query(db).maybeOne(sql<DraftRow>`
    select ${columns}, payment.open_id as top_up, payment.failed as payment_failed
    from card_order o ${orderPaymentSql("pro_cards", "o")}
    where o.company_id = ${companyId} and o.state = 'draft'`);

/** An order, locked. Refuses `not_found`. */
export const lockCardOrder = (tx: Tx, id: string): Promise<CardOrderRow> =>
  lockWhere(tx, sql`o.id = ${id}`);

/** The order that an operator names, locked. Refuses `not_found`; a draft is the company's own. */
export const lockNumbered = (tx: Tx, number: number): Promise<CardOrderRow> =>
  lockWhere(tx, sql`o.number = ${number} and o.state <> 'draft'`);

/** An order of a company, locked. Refuses `not_found`. */
export const lockOrderOf = (tx: Tx, companyId: string, id: string): Promise<CardOrderRow> =>
  lockWhere(tx, sql`o.id = ${id} and o.company_id = ${companyId}`);

async function lockWhere(tx: Tx, condition: RawBuilder<unknown>): Promise<CardOrderRow> {
  const found = await query(tx).maybeOne(sql<CardOrderRow>`
    select ${columns} from card_order o where ${condition} for update of o`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** Persons of a draft, as they were written; once it is ordered they are the bearers of its cards. */
export async function personsOf(db: Db, orderId: string): Promise<OrderedPerson[]> {
  const { rows } = await sql<OrderedPerson>`
    select first_name, last_name, email, phonenumber
    from card_order_person where order_id = ${orderId} order by place`.execute(db);
  return rows;
}

/** Today's prices of cards. */
export async function cardPrices(db: Db): Promise<CardPrices> {
  const { rows: tiers } = await sql<{ from: number; unitCents: number }>`
    select from_quantity as "from", unit_cents from card_price
    order by from_quantity`.execute(db);
  const terms = await query(db).one(sql<Omit<CardPrices, "tiers">>`
    select delivery_cents, free_delivery_from, vat
    from card_order_terms`);
  return { ...terms, tiers };
}

export const quantityOf = ({ price, persons, blank }: CardOrderRow): number =>
  price?.quantity ?? persons + blank;

/** The price of an order: as it was ordered, of today while it is a draft. */
export const priceOfOrder = (row: CardOrderRow, prices: CardPrices): CardOrderPrice =>
  row.price ?? priceOf(quantityOf(row), prices);

export function designOf({ label, ink, printsNames }: CardOrderRow): CardDesign | null {
  if (label === null || ink === null || printsNames === null) return null;
  return { label, ink, printsNames };
}

export function deliveryOf(row: CardOrderRow): CardDelivery | null {
  const { deliverTo: to, recipient, street, postcode, town } = row;
  if (to === null || recipient === null) return null;
  return { to, recipient, street: street ?? "", postcode: postcode ?? "", town: town ?? "" };
}

/** Refuses `card_order_day` once a company ordered as often as it may in 24 hours, cancelled or not. */
export async function requireOrdersLeft(db: Db, companyId: string, at: Date): Promise<void> {
  const since = new Date(at.getTime() - dayMs);
  const { count } = await query(db).one(sql<{ count: number }>`
    select count(*)::int as count from card_order
    where company_id = ${companyId} and ordered_at > ${since}`);
  if (count >= limits.perDay) {
    throw new Problem("card_order_day", { max: limits.perDay });
  }
}

/** Refuses `card_order_unpaid` while the company has as many orders with open invoices as it may. */
export async function requireFewUnpaid(db: Db, companyId: string): Promise<void> {
  const { count } = await query(db).one(sql<{ count: number }>`
    select count(*)::int as count from card_order o
    join invoice_balance b on b.invoice_id = o.invoice_id and b.settled_cents < b.due_cents
    where o.company_id = ${companyId} and o.state not in ('draft', 'cancelled')`);
  if (count >= limits.unpaid) {
    throw new Problem("card_order_unpaid", { max: limits.unpaid });
  }
}

/** The first step of a draft that is not complete. */
export function nextStep(row: CardOrderRow): CardOrderStep {
  if (quantityOf(row) === 0) return "persons";
  if (designOf(row) === null) return "design";
  return deliveryOf(row) === null ? "delivery" : "price";
}

/** Refuses `card_order_empty`, `card_order_incomplete` for a draft that cannot be ordered yet. */
export function requireComplete(row: CardOrderRow): { design: CardDesign; delivery: CardDelivery } {
  if (quantityOf(row) === 0) throw new Problem("card_order_empty");
  const [design, delivery] = [designOf(row), deliveryOf(row)];
  if (!design) throw new Problem("card_order_incomplete", { what: "la personnalisation" });
  if (!delivery) throw new Problem("card_order_incomplete", { what: "l'adresse de livraison" });
  return { design, delivery };
}
