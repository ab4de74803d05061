// « Factures »: the list, or the document that the address names.
import { lazy, Suspense } from "react";
import { useSearchParameters } from "#web/app/search.ts";
import { Page } from "#web/ui/layout.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";

const InvoiceList = lazy(async () => ({
  default: (await import("./invoice-list.tsx")).InvoiceList,
}));
const OneInvoice = lazy(async () => ({ default: (await import("./one-invoice.tsx")).OneInvoice }));

export function InvoicesPage() {
  const [{ facture }] = useSearchParameters();
  return (
    <Suspense
      fallback={
        <Page>
          <Loading label="Chargement des factures…">
            <Skeleton lines={6} height="4rem" />
          </Loading>
        </Page>
      }
    >
      {facture === undefined ? <InvoiceList /> : <OneInvoice key={facture} id={facture} />}
    </Suspense>
  );
}
