// The two states of a document as badges: what it is, and how far it is paid.
import type { ListedInvoice } from "#contract/invoices/rows.ts";
import { documentStateNames, invoiceCan, paymentStateName } from "#contract/invoices/states.ts";
import { Badge, type Tone } from "#web/ui/banner.tsx";

export function InvoiceState({ invoice, today }: { invoice: ListedInvoice; today: string }) {
  if (invoice.document === "credited") {
    return <Badge>{documentStateNames.credited}</Badge>;
  }
  const late = invoiceCan.late(invoice, today);
  const tone: Tone = invoice.payment === "paid" ? "success" : late ? "danger" : "warning";
  return <Badge tone={tone}>{late ? "En retard" : paymentStateName(invoice)}</Badge>;
}
