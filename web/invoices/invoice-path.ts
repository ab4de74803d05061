/** Where a document is shown. */
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
export const invoicePath = (id: string): string => linkTo(paths.invoices, {}, { invoice: id });
