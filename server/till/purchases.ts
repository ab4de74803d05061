// The holder's view of a paid sale and its receipt, for them and those who act for them.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import {
  purchaseFacts,
  purchaseLines,
  purchaseMeans,
  purchaseSums,
  type TillPurchase,
} from "#contract/till/purchases.ts";
import { walletSharesOf } from "#server/checkout/checkout.ts";
import { last4 } from "#server/cards/cards.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { mayActFor } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { type Document, pdf } from "#server/http/document.ts";
import { paper, type Paper } from "#server/http/paper.ts";
import {
  earnedPoints,
  priceOf,
  returnsColumn,
  type SaleRow,
  salesWhere,
  shownInstant,
  toReturns,
} from "./sales.ts";

/** Refuses `not_found` for a sale that is not paid, and for a card that is not the caller's or a child's. */
async function purchaseRow({ deps, caller, input }: PersonCall<{ sale: string }>) {
  const mine = mayActFor(caller.personId, sql.ref("s.holder_id"));
  const paid = sql`s.id = ${input.sale} and s.paid_at is not null and ${mine}`;
  const [sale] = await salesWhere(deps.db, paid, sql``, returnsColumn);
  if (!sale) throw new Problem("not_found");
  return sale;
}

/** A paid sale as its holder reads it; `sale` is read with `returnsColumn`. */
export async function toPurchaseView(
  db: Db,
  sale: Awaited<ReturnType<typeof salesWhere>>[number],
): Promise<TillPurchase> {
  const { id, state, partnerName: partner, place, label, lines, holder, cashier } = sale;
  const { amountCents, discountCents, pointsUsed, refundedCents } = sale;
  const at = shownInstant(sale);
  const shares = await walletSharesOf(db, {
    kind: "till",
    orderId: id,
    holdIds: null,
    at,
  });
  const { items, correctedCents } = toReturns(sale);
  return {
    id,
    state,
    partner,
    place,
    company: await sellerOf(db, sale),
    label,
    lines: [...lines],
    holder,
    last4: last4(sale.cardnumber),
    cashier,
    at: at.toISOString(),
    amountCents,
    discountCents,
    pointsUsed,
    pointsEarned: earnedPoints(sale),
    paidCents: priceOf(sale),
    refundedCents,
    paidWith: shares.map(({ wallet, aid, amountCents: cents }) => ({
      wallet,
      aid,
      amountCents: cents,
    })),
    returns: items.map(({ amountCents: cents, at: on }) => ({ amountCents: cents, at: on })),
    correctedCents,
  };
}

async function sellerOf(
  db: Db,
  { companyId }: Pick<SaleRow, "companyId">,
): Promise<TillPurchase["company"]> {
  return await query(db).maybeOne(sql<NonNullable<TillPurchase["company"]>>`
    select name, street || ', ' || postcode || ' ' || town as place, siret from company
    where id = ${companyId}::uuid`);
}

/** A paid purchase of the caller's card, or of a child's, refunded ones included. */
export async function readPurchase(call: PersonCall<{ sale: string }>): Promise<TillPurchase> {
  return await toPurchaseView(call.deps.db, await purchaseRow(call));
}

/** Its receipt as PDF: the payments, and the refunds up to now. */
export async function purchaseReceipt(call: PersonCall<{ sale: string }>): Promise<Document> {
  const row = await purchaseRow(call);
  const purchase = await toPurchaseView(call.deps.db, row);
  const { cardnumber } = row;
  const options = { title: "Reçu d’achat", cardnumber, madeAt: call.deps.now() };
  return pdf(await paper(options, (page) => drawReceipt(page, purchase)), "recu-achat.pdf");
}

/** Draws the receipt of a sale, with what paid it where the reader may know. */
export function drawReceipt(page: Paper, purchase: TillPurchase): void {
  page.facts(purchaseFacts(purchase));
  if (purchase.lines.length > 0) {
    page.heading("Articles");
    page.facts(purchaseLines(purchase));
  }
  page.heading("Montant");
  page.facts(purchaseSums(purchase));
  const means = purchaseMeans(purchase);
  if (means.length > 0) {
    page.heading(purchase.paidWith.length > 0 ? "Payé avec" : "Points");
    page.facts(means);
  }
  page.paragraph("Ce reçu dit aussi ce qui a été rendu jusqu’à la date où il est établi.");
}
