// Orders of cards as a sale of the checkout, or against an invoice. Once one is ordered its cards are made
// and its invoice is issued.
import { sql } from "kysely";
import { cardOrders as limits } from "#contract/card-orders/limits.ts";
import type { CardOrderPrice } from "#contract/card-orders/price.ts";
import type { CardDispatch } from "#contract/card-orders/dispatch.ts";
import type { cardOrders as rows } from "#contract/card-orders/rows.ts";
import { cardOrderCan } from "#contract/card-orders/states.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import {
  withApproval,
  type Quote,
  requireRevision,
  requireSamePrice,
  type Sale,
  withdrawOrder,
} from "#server/checkout/checkout.ts";
import { companyOutgoingCents, holdRoles, requireCardsLeft } from "#server/companies/companies.ts";
import type { Tx } from "#server/db/db.ts";
import { requireRight } from "#server/http/rights.ts";
import type { Call } from "#server/http/serve.ts";
import { audit, proofOf } from "#server/identity/identity.ts";
import { issueInvoice, type NewInvoice } from "#server/invoices/invoices.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceOrder } from "./announcements.ts";
import { dispatchOf } from "./views.ts";
import {
  type CardOrderRow,
  cardPrices,
  lockCardOrder,
  lockOrderOf,
  priceOfOrder,
  quantityOf,
  requireComplete,
  requireFewUnpaid,
  requireOrdersLeft,
} from "./orders.ts";

interface OrderQuote extends Quote {
  price: CardOrderPrice;
}

/**
 * The present price of a draft. Refuses what keeps it from being ordered; if its money has arrived, the daily
 * limit is not checked.
 */
async function quoteOf(
  tx: Tx,
  row: CardOrderRow,
  { at, late }: { at: Date; late: boolean },
): Promise<OrderQuote> {
  if (!cardOrderCan.write(row)) throw new Problem("card_order_closed");
  requireComplete(row);
  if (!late) await requireOrdersLeft(tx, row.companyId, at);
  await requireCardsLeft(tx, row.companyId, quantityOf(row));
  const price = priceOfOrder(row, await cardPrices(tx));
  const label = `Commande de ${plural(price.quantity, "carte")} pro`;
  return { totalCents: price.totalCents, label, groupId: null, price };
}

export const cardOrderSale: Sale<CardOrderRow, OrderQuote> = {
  kind: "pro_cards",
  account: "pro_cards",
  companyCents: (tx, { companyId }, at) => companyOutgoingCents(tx, companyId, at),
  admit: (tx, caller) => holdRoles(tx, { caller, right: "decide" }),
  lock: (tx, id, caller) =>
    caller === null
      ? lockCardOrder(tx, id)
      : lockOrderOf(tx, requireRight(caller.company, "decide").companyId, id),
  isPaid: ({ state }) => state !== "draft",
  quote: quoteOf,
  returnPath: () => linkTo(paths.cardOrders, {}, { step: "prix" }),
  fulfil: async (tx, deps, row, { quote, sold, receipt }) => {
    const { buyerId, walletId, at } = sold;
    const how = { paidBy: "checkout", buyerId, walletId, at } as const;
    const invoice = await placeOrder(tx, deps, row, { quote, ...how });
    await announceOrder(tx, deps, row, {
      title: "Cartes pro commandées",
      what: `est payée, facture ${invoice.number}. Nous vous dirons quand elle part.`,
      at,
      payer: { id: buyerId, receipt },
    });
  },
};

interface OrderPlacement {
  quote: OrderQuote;
  buyerId: number;
  paidBy: "checkout" | "invoice";
  walletId: number | null;
  at: Date;
}

/**
 * Stores the price and issues the invoice. The persons exist once the cards are made (`makeOrderedCards`).
 */
export async function placeOrder(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  row: CardOrderRow,
  placement: OrderPlacement,
): Promise<{ id: string; number: string }> {
  const { quote, buyerId, paidBy, walletId, at } = placement;
  requireOwedVat(deps.config, quote.price);
  const { id: orderId } = row;
  const issuedOn = parisDay(at);
  const later = paidBy === "invoice";
  const invoice = await issueInvoice(
    tx,
    { ...deps, now: () => at },
    {
      ...invoiceOf(row, quote.price, { at }),
      kind: "invoice",
      dueOn: later ? addDays(issuedOn, limits.dueDays) : issuedOn,
      prepaidCents: later ? 0 : quote.totalCents,
    },
  );
  await sql`update card_order set state = 'ordered', price = ${JSON.stringify(quote.price)}::jsonb,
      paid_by = ${paidBy}, wallet_id = ${walletId}, person_id = ${buyerId}, ordered_at = ${at},
      invoice_id = ${invoice.id}, changed_at = ${at}
    where id = ${orderId}`.execute(tx);
  const details = { order: row.number, cards: quote.price.quantity };
  const line = { personId: buyerId, actor: "person", address: null, at };
  await audit(tx, { ...line, action: "card_order.order", details });
  return invoice;
}

/** An issuer without VAT charges none: the operator's prices must agree, or nothing is ordered. */
function requireOwedVat({ issuer }: Deps["config"], { vat }: CardOrderPrice): void {
  if (issuer?.vatRegime !== "franchise" || vat === "franchise") return;
  const why = "l'émetteur ne doit pas de TVA, et les prix en comptent";
  throw new Problem("invoice_content", { why });
}

/** Content of the invoice of an order, and of its credit note. */
export function invoiceOf(
  row: Pick<CardOrderRow, "id" | "number" | "companyId">,
  { quantity, unitCents, deliveryCents, vat }: CardOrderPrice,
  { at }: { at: Date },
): Omit<NewInvoice, "kind" | "dueOn"> {
  const cards = { label: `Cartes pro personnalisées, commande n° ${row.number}` };
  return {
    companyId: row.companyId,
    subject: { kind: "card_order", id: row.id },
    lines: [
      { ...cards, quantity, unitCents, vat },
      ...(deliveryCents > 0
        ? [{ label: "Livraison", quantity: 1, unitCents: deliveryCents, vat }]
        : []),
    ],
    issuedOn: parisDay(at),
  };
}

/**
 * Orders a draft against an invoice to be paid later; a code is required once the company's commitments of 24
 * h reach the threshold. A repeated call orders once. Refuses what the quote refuses, and `price_changed`.
 */
export async function orderByInvoice({
  deps,
  caller,
  company,
  input,
}: Call<typeof rows.orderByInvoice>): Promise<{ data: CardDispatch }> {
  const { order: id, revision, totalCents } = input;
  const me = caller.personId;
  const binding = ["card-invoice", id, revision, totalCents];
  const admit = (tx: Tx) => holdRoles(tx, { caller, right: company.right });
  const approval = { caller, purpose: "payment" as const, binding, admit, ...proofOf(input) };
  await withApproval(deps, approval, async (tx) => {
    const row = await lockOrderOf(tx, company.companyId, id);
    if (cardOrderSale.isPaid(row)) return null;
    requireRevision(row, revision, "card_order_changed");
    await withdrawOrder(tx, { kind: "pro_cards", id });
    const at = deps.now();
    const quote = await quoteOf(tx, row, { at, late: false });
    await requireFewUnpaid(tx, row.companyId);
    requireSamePrice(totalCents, quote.totalCents);
    const how = { paidBy: "invoice", buyerId: me, walletId: null, at } as const;
    const { number } = await placeOrder(tx, deps, row, { quote, ...how });
    const due = formatDate(addDays(parisDay(at), limits.dueDays));
    await announceOrder(tx, deps, row, {
      title: "Cartes pro commandées",
      what: `est enregistrée, facture ${number} à régler avant le ${due}. Nous vous dirons quand elle part.`,
      at,
      outside: true,
    });
    return {
      amountCents: totalCents,
      what: `commander des cartes pro, ${formatMoney(totalCents)} sur facture`,
      companyCents: await companyOutgoingCents(tx, row.companyId, at),
    };
  });
  return { data: await dispatchOf(deps.db, company, id) };
}
