// An invoice as a sale of the checkout: its open amount is paid, once, and refunded with a credit note.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { invoiceCan } from "#contract/invoices/states.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { refund, type RefundView, type Sale } from "#server/checkout/checkout.ts";
import { companyOutgoingCents, holdRoles } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { requireRight } from "#server/http/rights.ts";
import { announcePaid } from "./announcements.ts";
import { type InvoiceRow, invoicesWhere, openCentsOf } from "./reads.ts";
import { settleInvoice } from "./settle.ts";

export const invoiceSale: Sale<InvoiceRow> = {
  kind: "invoice",
  account: "invoices",
  companyCents: (tx, { companyId }, at) => companyOutgoingCents(tx, companyId, at),
  admit: (tx, caller) => holdRoles(tx, { caller, right: "seeMoney" }),
  async lock(tx, id, caller) {
    const own =
      caller === null
        ? sql`true`
        : sql`i.company_id = ${requireRight(caller.company, "seeMoney").companyId}`;
    const [row] = await invoicesWhere(tx, sql`i.id = ${id} and ${own}`, sql`for update of b`);
    if (!row) throw new Problem("not_found");
    return row;
  },
  isPaid: (row) => row.kind === "invoice" && openCentsOf(row) === 0,
  quote: async (_tx, row) => {
    const openCents = openCentsOf(row);
    if (!invoiceCan.pay({ kind: row.kind, openCents })) throw new Problem("invoice_settled");
    return { totalCents: openCents, label: `Facture ${row.number}`, groupId: null };
  },
  returnPath: ({ id }) => linkTo(paths.invoices, {}, { invoice: id }),
  async fulfil(tx, deps, row, { quote, sold, receipt }) {
    const { totalCents: amountCents } = quote;
    const { at, buyerId } = sold;
    await settleInvoice(tx, {
      invoiceId: row.id,
      amountCents,
      by: "checkout",
      reference: row.id,
      at,
    });
    await announcePaid(tx, deps, { ...row, amountCents, payer: { id: buyerId, receipt }, at });
  },
};

/** Amounts paid of an invoice, in cents: by the checkout, and by any other means. */
export async function paidOf(
  db: Db,
  invoiceId: string,
): Promise<{ checkoutCents: number; transferCents: number }> {
  return await query(db).one(sql<{ checkoutCents: number; transferCents: number }>`
    select coalesce(sum(amount_cents) filter (where means = 'checkout'), 0)::bigint as checkout_cents,
      coalesce(sum(amount_cents) filter (where means not in ('checkout', 'credit')), 0)::bigint
        as transfer_cents
    from invoice_payment where invoice_id = ${invoiceId}`);
}

/**
 * Refunds what the checkout was paid for an invoice to the wallets that paid, and settles its credit note by
 * as much; what was paid by transfer stays open on the credit note until it is sent back. The caller has
 * issued the credit note, in this transaction.
 */
export async function refundInvoice(
  tx: Tx,
  creditNote: { invoiceId: string; creditNoteId: string; label: string; at: Date },
): Promise<RefundView | null> {
  const { invoiceId, creditNoteId, label, at } = creditNote;
  const { checkoutCents: amountCents } = await paidOf(tx, invoiceId);
  if (amountCents === 0) return null;
  const back = await refund(tx, invoiceSale, { orderId: invoiceId, amountCents, at, label });
  const settled = { by: "checkout", reference: invoiceId, at } as const;
  await settleInvoice(tx, { invoiceId: creditNoteId, amountCents, ...settled });
  return back;
}
