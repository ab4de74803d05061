// The address of an invoice.
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";

/** Where an invoice or a credit note is shown. */
export const invoicePath = (id: string): string => linkTo(paths.invoices, {}, { invoice: id });
