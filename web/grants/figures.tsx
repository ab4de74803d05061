// The columns of money that the tables of grants share.
import { Money } from "#web/ui/money.tsx";
import type { Column } from "#web/ui/table.tsx";

/** A column of one amount of the row. */
export const amount = <Key extends string>(
  key: Key,
  label: string,
): Column<Readonly<Record<Key, number>>> => ({
  key,
  label,
  align: "end",
  cell: (row) => <Money cents={row[key]} />,
});

export const spent = amount("spentCents", "Dépensé");
export const left = amount("leftCents", "Restant");
export const returned = amount("returnedCents", "Rendu");
