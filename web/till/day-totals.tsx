// The totals of a day at a counter, by cashier.
import { sumOfTotals, type TillTotals } from "#contract/till/closings.ts";
import { netOf } from "#contract/till/days.ts";
import { Money } from "#web/ui/money.tsx";
import { type Column, Table } from "#web/ui/table.tsx";

const columns: Column<TillTotals>[] = [
  { key: "cashier", label: "Encaissé par", place: "title", cell: ({ cashier }) => cashier },
  { key: "sales", label: "Ventes", align: "end", cell: ({ sales }) => sales },
  {
    key: "paid",
    label: "Encaissé",
    align: "end",
    cell: ({ paidCents }) => <Money cents={paidCents} />,
  },
  {
    key: "discount",
    label: "Remises",
    align: "end",
    cell: ({ discountCents }) => <Money cents={discountCents} />,
  },
  {
    key: "returned",
    label: "Rendu",
    align: "end",
    cell: ({ returnedCents }) => <Money cents={returnedCents} />,
  },
  {
    key: "net",
    label: "Net",
    align: "end",
    place: "end",
    cell: (totals) => <Money cents={netOf(totals)} />,
  },
];

/** One line for each cashier, and their sum where they are several. */
export function Totals({
  caption,
  cashiers,
}: {
  caption: string;
  cashiers: readonly TillTotals[];
}) {
  const lines = cashiers.length > 1 ? [...cashiers, sumOfTotals(cashiers)] : cashiers;
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={lines}
      keyOf={(line) => `${lines.indexOf(line)}`}
    />
  );
}
