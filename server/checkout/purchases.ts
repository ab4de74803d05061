// Paid purchases as their buyer reads them: content, payment and receipt. Refuses (`not_found`) an order that
// is not paid, or that somebody else paid.
import { sql } from "kysely";
import type { Purchase } from "#contract/checkout/purchases.ts";
import { Problem } from "#contract/errors.ts";
import { formatDateTime, formatMoney } from "#contract/french.ts";
import type { OrderKind } from "#contract/payments/rows.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { paper } from "#server/http/paper.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Deps } from "#server/process/deps.ts";
import { type CardShare, receiptLines, sharesOf } from "./receipt.ts";
import type { SaleContext } from "./sale.ts";

interface PurchaseRow {
  kind: OrderKind;
  orderId: string;
  quote: { label: string; totalCents: number };
  sold: SaleContext;
  holdIds: readonly number[] | null;
  card: CardShare | null;
}

/** Records what paid an order; returns the lines of its receipt. */
export async function recordPurchase(tx: Tx, bought: PurchaseRow): Promise<string[]> {
  const { kind, orderId, quote, sold, holdIds, card } = bought;
  const { label, totalCents } = quote;
  const { buyerId, at } = sold;
  const { shares, cardCents } =
    totalCents === 0
      ? { shares: [], cardCents: 0 }
      : await sharesOf(tx, { kind, orderId, holdIds, card, at });
  const held = holdIds !== null;
  const paidWith = shares.map(({ wallet, aid, amountCents }) => ({ wallet, aid, amountCents }));
  const { number } = await query(tx).one(sql<{ number: number }>`
    insert into purchase (order_id, kind, buyer_id, label, total_cents, held, paid_with,
      card_cents, paid_at)
    values (${orderId}, ${kind}, ${buyerId}, ${label}, ${totalCents}, ${held},
      ${JSON.stringify(paidWith)}::jsonb, ${cardCents}, ${at})
    returning number`);
  return receiptLines({ number, label, totalCents, held, shares, cardCents, at });
}

/** A purchase of the caller's; `not_found` for any other order. */
export async function purchaseOf(db: Db, buyerId: number, orderId: string): Promise<Purchase> {
  const row = await query(db).maybeOne(sql<Omit<Purchase, "paidAt"> & { paidAt: Date }>`
    select number, order_id as "order", kind, label, total_cents,
      held, paid_with, card_cents, paid_at
    from purchase where order_id = ${orderId} and buyer_id = ${buyerId}`);
  if (!row) throw new Problem("not_found");
  return { ...row, paidAt: row.paidAt.toISOString() };
}

/** The receipt as a PDF: what was paid on the day, whatever was refunded since. */
export async function receiptPdf(
  deps: Deps,
  { personId, cardnumber }: Caller,
  orderId: string,
): Promise<Buffer> {
  const { number, label, totalCents, held, paidWith, cardCents, paidAt } = await purchaseOf(
    deps.db,
    personId,
    orderId,
  );
  const options = { title: "Reçu de paiement", cardnumber, madeAt: deps.now() };
  return await paper(options, (page) => {
    page.facts([
      ["Reçu n°", String(number)],
      ["Achat", label],
      ["Montant", formatMoney(totalCents)],
      ...paidWith.map(
        ({ wallet, aid, amountCents }) =>
          [`${wallet}${aid ? " (aide)" : ""}`, formatMoney(amountCents)] as const,
      ),
      ...(cardCents > 0 ? [["Carte bancaire", formatMoney(cardCents)] as const] : []),
      [held ? "Mis de côté le" : "Payé le", formatDateTime(new Date(paidAt))],
    ]);
    if (held) {
      page.paragraph("Cet argent est mis de côté. Il est dépensé quand le repas est servi.");
    }
    if (cardCents > 0 && deps.config.payments === "sandbox") {
      page.paragraph("Paiements fictifs\u202f: ce reçu ne correspond à aucun débit réel.");
    }
    page.paragraph(
      "Ce reçu dit ce qui a été payé ce jour-là. Un remboursement se lit dans les opérations.",
    );
  });
}
