// The list of documents: number, what it is about, its day, its two states and its amount.
import { todayInParis } from "#contract/days.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import type { ListedInvoice } from "#contract/invoices/rows.ts";
import { invoiceKindNames } from "#contract/invoices/states.ts";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import { InvoiceState } from "./invoice-state.tsx";
import { invoicePath } from "./invoice-path.ts";
import styles from "./invoices.module.css";

export function InvoiceTable({ invoices }: { invoices: readonly ListedInvoice[] }) {
  return (
    <Table
      caption="Factures et avoirs"
      columns={columnsOf(todayInParis())}
      rows={invoices}
      keyOf={({ id }) => id}
    />
  );
}

const columnsOf = (today: string): Column<ListedInvoice>[] => [
  {
    key: "number",
    label: "Document",
    place: "title",
    cell: ({ id, kind, number, label }) => (
      <span className={styles.document}>
        <Link href={invoicePath(id)}>
          {invoiceKindNames[kind]} {number}
        </Link>
        <Text as="span" tone="soft" size="small">
          {label}
        </Text>
      </span>
    ),
  },
  { key: "issued", label: "Date", cell: ({ issuedOn }) => formatDate(issuedOn) },
  {
    key: "due",
    label: "Échéance",
    cell: ({ kind, dueOn }) => (kind === "invoice" ? formatDate(dueOn) : "—"),
  },
  {
    key: "state",
    label: "État",
    cell: (invoice) => <InvoiceState invoice={invoice} today={today} />,
  },
  {
    key: "amount",
    label: "Montant",
    align: "end",
    place: "end",
    cell: ({ kind, totalCents, openCents }) => (
      <span className={styles.amount}>
        <Money cents={kind === "invoice" ? totalCents : -totalCents} />
        {openCents > 0 && openCents < totalCents && (
          <Text as="span" tone="soft" size="small">
            reste {formatMoney(openCents)}
          </Text>
        )}
      </span>
    ),
  },
];
