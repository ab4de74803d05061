// The invoices room: which function answers which row, its commands and hooks.
import { api } from "#contract/api.ts";
import { pay, saleHooks } from "#server/checkout/checkout.ts";
import { pdf } from "#server/http/document.ts";
import { routes } from "#server/http/serve.ts";
import { siteOrigin } from "#server/http/site.ts";
import { companyHome } from "#server/portal/portal.ts";
import { attach, type Room } from "#server/process/room.ts";
import { facturXOf } from "./invoice-pdf.ts";
import { invoiceCommands } from "./operator.ts";
import { invoicesCsv, invoicesHome, listInvoices, requireInvoice, toInvoice } from "./reads.ts";
import { invoiceSale } from "./sale.ts";
import { ublOf } from "./ubl.ts";

const handlers = routes("invoices", api.invoices, {
  list: listInvoices,
  file: invoicesCsv,
  one: async ({ deps, company, input }) =>
    await toInvoice(deps.db, await requireInvoice(deps.db, company.companyId, input.invoice)),
  pdf: async ({ deps, company, input }) => {
    const document = await requireInvoice(deps.db, company.companyId, input.invoice);
    return pdf(await facturXOf(document), `${document.number}.pdf`);
  },
  ubl: async ({ deps, company, input }) => {
    const document = await requireInvoice(deps.db, company.companyId, input.invoice);
    const body = Buffer.from(ublOf(document));
    return { type: "application/xml; charset=utf-8", body, filename: `${document.number}.xml` };
  },
  pay: async ({ deps, caller, company, origin, request, input }) => {
    const { invoice: orderId, ...paymentInput } = input;
    const { companyId } = company;
    await requireInvoice(deps.db, companyId, orderId);
    const from = { caller, origin, siteOrigin: siteOrigin(deps, request) };
    const payment = await pay(deps, invoiceSale, { ...from, orderId, ...paymentInput });
    const paid = await requireInvoice(deps.db, companyId, orderId);
    return { invoice: await toInvoice(deps.db, paid), payment };
  },
});

export const invoices: Room = {
  name: "invoices",
  routes: handlers,
  commands: invoiceCommands,
  hooks: [...saleHooks(invoiceSale), attach({ companyHome }, invoicesHome)],
};
