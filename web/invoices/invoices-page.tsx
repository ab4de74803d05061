// « Factures »: the list, or the document that the address names.
import { lazy } from "react";
import { useSearchParameters } from "#web/app/shared/search.ts";

const InvoiceList = lazy(async () => ({
  default: (await import("./invoice-list.tsx")).InvoiceList,
}));
const OneInvoice = lazy(async () => ({ default: (await import("./one-invoice.tsx")).OneInvoice }));

export function InvoicesPage() {
  const [{ invoice }] = useSearchParameters<"invoices">();
  return invoice === undefined ? <InvoiceList /> : <OneInvoice key={invoice} id={invoice} />;
}
