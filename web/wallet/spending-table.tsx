// The spending of twelve months as a table, with the sums of each month and of each category.
import { capital, formatMoney, formatMonth } from "#contract/french.ts";
import { type SpendingCategory, spendingCategoryNames } from "#contract/wallet/spending.ts";
import { type Column, Table } from "#web/ui/table.tsx";
import { categoriesIn, dayOf, type Spending, sumOf } from "./spending-months.ts";

interface Line {
  key: string;
  name: string;
  parts: Spending["parts"];
}

export function SpendingTable({ spending }: { spending: Spending }) {
  const lines: Line[] = spending.months.toReversed().map((month) => ({
    key: month,
    name: capital(formatMonth(dayOf(month))),
    parts: spending.parts.filter((part) => part.month === month),
  }));
  const total: Line = { key: "total", name: "Douze mois", parts: spending.parts };
  return (
    <details className="chart-table">
      <summary>Voir le tableau</summary>
      <Table
        caption="Dépenses par mois et par catégorie"
        rows={[...lines, total]}
        keyOf={({ key }) => key}
        columns={[
          { key: "month", label: "Mois", cell: ({ name }) => name, place: "title" },
          ...categoriesIn(spending.parts).map(categoryColumn),
          {
            key: "total",
            label: "Total",
            align: "end",
            place: "end",
            cell: totalOf,
          },
        ]}
      />
    </details>
  );
}

const totalOf = ({ parts }: Line) => <strong>{formatMoney(sumOf(parts))}</strong>;

const categoryColumn = (category: SpendingCategory): Column<Line> => ({
  key: category,
  label: spendingCategoryNames[category],
  align: "end",
  cell: ({ parts }) => formatMoney(sumOf(parts.filter((part) => part.category === category))),
});
