// Invoices of the scheme to companies: gapless numbers, documents that never change, credit notes that
// correct them, and their payments. Other rooms issue and settle through this file.
export { issueInvoice } from "./issue.ts";
export { referenceOf } from "./numbering.ts";
export { sellerOf } from "./parties.ts";
export { paidOf, refundInvoice } from "./sale.ts";
export { settleInvoice } from "./settle.ts";
export type { NewInvoice } from "./content.ts";
