// Reads of card orders: the data that open the screen, the desk with its draft, placed orders.
import { sql } from "kysely";
import type { CardPrices } from "#contract/card-orders/price.ts";
import type {
  cardDispatch as dispatchRows,
  CardOrderSummary,
  CardDispatch,
} from "#contract/card-orders/dispatch.ts";
import type {
  CardOrderDesk,
  CardOrderDraft,
  cardOrders as rows,
} from "#contract/card-orders/rows.ts";
import { cardOrderCan } from "#contract/card-orders/states.ts";
import type { CardState } from "#contract/cards/rows.ts";
import { companyCan } from "#contract/companies/roles.ts";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { lists } from "#contract/limits.ts";
import { companyOf, type Membership, proCardsLeft } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { fullName } from "#server/cards/cards.ts";
import { holderFor } from "#server/family/family.ts";
import type { Call } from "#server/http/serve.ts";
import { paidOf } from "#server/invoices/invoices.ts";
import {
  type CardOrderRow,
  cardOrdersWhere,
  cardPrices,
  deliveryOf,
  designOf,
  draftOf,
  type DraftRow,
  nextStep,
  personsOf,
  priceOfOrder,
  quantityOf,
} from "./orders.ts";

/** Data of a card that the order's screen needs before it opens (spec §7). */
export async function orderInformation({
  deps,
  caller,
  input,
}: Call<typeof dispatchRows.information>): Promise<Output<typeof dispatchRows.information>> {
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  const nothing = (message: string) => ({ success: false, data: null, message });
  if (holder.type !== 2) {
    return nothing("Les cartes pro se commandent avec un numéro professionnel.");
  }
  const company = await companyOf(deps.db, holder.id);
  if (!company) return nothing("Votre numéro n'est rattaché à aucune entreprise.");
  const { name, roles } = company;
  const canOrder = companyCan.decide(roles);
  const { cardnumber, type } = holder;
  return {
    success: true,
    data: { cardnumber, type, name: holder.name, company: name, roles, canOrder },
    message: canOrder
      ? "Vous pouvez commander des cartes pro."
      : "Seul le responsable de l'entreprise commande des cartes pro.",
  };
}

/** Prices, address and draft of the caller's company. */
export const readDesk = ({ deps, company }: Call<typeof rows.desk>): Promise<CardOrderDesk> =>
  deskOf(deps.db, company.companyId);

/** The whole desk, returned by every write of the draft. */
export async function deskOf(db: Db, companyId: string): Promise<CardOrderDesk> {
  const { siret, ...company } = await db
    .selectFrom("company")
    .select(["name", "street", "postcode", "town", "siret"])
    .where("id", "=", companyId)
    .executeTakeFirstOrThrow();
  const prices = await cardPrices(db);
  const row = await draftOf(db, companyId);
  return {
    company: { ...company, invoiced: siret !== null },
    left: await proCardsLeft(db, companyId),
    prices: { ...prices, tiers: [...prices.tiers] },
    draft: row && (await toDraftView(db, row, prices)),
  };
}

async function toDraftView(db: Db, row: DraftRow, prices: CardPrices): Promise<CardOrderDraft> {
  const { id, revision, blank, topUp, paymentFailed } = row;
  return {
    id,
    revision,
    step: nextStep(row),
    persons: await personsOf(db, id),
    blank,
    design: designOf(row),
    delivery: deliveryOf(row),
    price: priceOfOrder(row, prices),
    topUp,
    paymentFailed,
  };
}

function toSummary(row: CardOrderRow): CardOrderSummary {
  const { id, number, state, price, orderedAt } = row;
  if (!price || !orderedAt) throw new Error("a draft has no summary");
  return {
    id,
    number,
    state,
    quantity: quantityOf(row),
    totalCents: price.totalCents,
    orderedAt: orderedAt.toISOString(),
  };
}

/** Orders of the caller's company, newest first. */
export async function listCardOrders({ deps, company, input }: Call<typeof dispatchRows.list>) {
  const limit = input.limit ?? lists.defaultLimit;
  const before = input.before ?? Number.MAX_SAFE_INTEGER;
  const found = await cardOrdersWhere(
    deps.db,
    sql`o.company_id = ${company.companyId} and o.state <> 'draft' and o.number < ${before}::bigint`,
    limit + 1,
  );
  const { items, next } = pageOf(found, limit, ({ number }) => number);
  return { items: items.map(toSummary), next };
}

/** A placed order of the caller's company. Refuses `not_found`. */
export const readDispatch = async ({
  deps,
  company,
  input,
}: Call<typeof dispatchRows.dispatch>) => ({
  data: await dispatchOf(deps.db, company, input.id),
});

/** The order as `GET /api/order/dispatch/:id` answers it. */
export async function dispatchOf(
  db: Db,
  { companyId, roles }: Membership,
  id: string,
): Promise<CardDispatch> {
  const [row] = await cardOrdersWhere(
    db,
    sql`o.id = ${id} and o.company_id = ${companyId} and o.state <> 'draft'`,
    1,
  );
  const [design, delivery] = row ? [designOf(row), deliveryOf(row)] : [null, null];
  if (!row?.price || !row.paidBy || !design || !delivery) throw new Problem("not_found");
  const decides = companyCan.decide(roles);
  return {
    ...toSummary(row),
    price: row.price,
    design,
    delivery,
    orderedBy: await nameOf(db, row.personId),
    steps: stepsOf(row),
    acknowledgedAt: row.acknowledgedAt?.toISOString() ?? null,
    carrier: row.carrier,
    tracking: row.tracking,
    paidBy: row.paidBy,
    invoice: await invoiceOf(db, row.invoiceId),
    paidSince: await paidSince(db, row.invoiceId),
    canCancel: decides && cardOrderCan.cancel(row),
    canReceive: decides && cardOrderCan.receive(row),
    cards: await cardsOf(db, row),
  };
}

function stepsOf(row: CardOrderRow): CardDispatch["steps"] {
  const all = [
    { state: "ordered", at: row.orderedAt },
    { state: "in_production", at: row.producedAt },
    { state: "shipped", at: row.shippedAt },
    { state: "delivered", at: row.deliveredAt },
    { state: "cancelled", at: row.cancelledAt },
  ] as const;
  return all.flatMap(({ state, at }) => (at ? [{ state, at: at.toISOString() }] : []));
}

async function nameOf(db: Db, personId: number): Promise<string> {
  const { name } = await db
    .selectFrom("person")
    .select("name")
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  return name;
}

async function invoiceOf(db: Db, id: string | null): Promise<CardDispatch["invoice"]> {
  if (id === null) return null;
  const { number } = await db
    .selectFrom("invoice")
    .select("number")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { id, number };
}

async function paidSince(db: Db, invoiceId: string | null): Promise<CardDispatch["paidSince"]> {
  if (invoiceId === null) return { walletCents: 0, transferCents: 0 };
  const { checkoutCents: walletCents, transferCents } = await paidOf(db, invoiceId);
  return { walletCents, transferCents };
}

/** The cards of an order, each as it is now, or as it will be made; none once the order is cancelled. */
export async function cardsOf(db: Db, row: CardOrderRow): Promise<CardDispatch["cards"]> {
  const made = await cardsMade(db, row.id);
  if (made.length > 0 || !cardOrderCan.produce(row)) return made;
  const names = (await personsOf(db, row.id)).map(({ firstName, lastName }) =>
    fullName(firstName, lastName),
  );
  const sorted = names.toSorted(new Intl.Collator("fr").compare);
  return Array.from({ length: quantityOf(row) }, (_, place) => ({
    cardnumber: null,
    name: sorted[place] ?? null,
    state: null,
  }));
}

async function cardsMade(db: Db, orderId: string): Promise<CardDispatch["cards"]> {
  const { rows: found } = await sql<{ cardnumber: number; name: string | null; state: CardState }>`
    select c.number as cardnumber, case when k.assigned_at is not null then p.name end as name,
      c.state
    from pro_card k join person p on p.id = k.person_id cross join lateral current_card(p.id) c
    where k.order_id = ${orderId}
    order by k.assigned_at is null, p.name collate "fr-x-icu", c.number`.execute(db);
  return found;
}
