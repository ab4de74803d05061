// An invoice as a sale of the checkout: what is open of it is paid, once.
import { sql } from "kysely";
import { companyCan } from "#contract/companies/rows.ts";
import { Problem } from "#contract/errors.ts";
import { invoiceCan } from "#contract/invoices/states.ts";
import type { Sale } from "#server/checkout/checkout.ts";
import { requireCompany } from "#server/companies/companies.ts";
import { announcePaid } from "./announcements.ts";
import { type InvoiceRow, invoicesWhere, openCentsOf } from "./reads.ts";
import { settleInvoice } from "./settle.ts";

export const invoiceSale: Sale<InvoiceRow> = {
  kind: "invoice",
  account: "invoices",
  async lock(tx, id, callerId) {
    const own =
      callerId === null
        ? sql`true`
        : sql`i.company_id = ${(await requireCompany(tx, callerId, companyCan.seeMoney)).companyId}`;
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
  // Nothing is kept: the document stands whatever becomes of the payment.
  hold: async () => {},
  returnPath: ({ id }) => `/professional/invoice?facture=${id}`,
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
  reopen: async () => {},
};
