// A native table that becomes a list of cards under 640 px. Its roles are written out because browsers
// drop them from tables whose display is changed.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import "./table.css";

export interface Column<Row> {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** `end` for amounts. */
  align?: "start" | "end";
  /** Where the cell stands in the card of a narrow screen; `plain` cells are listed with their label. */
  place?: "title" | "end" | "plain";
}

export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  showCaption = false,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  showCaption?: boolean;
}) {
  return (
    <table className="table" role="table">
      <caption className={showCaption ? "table-caption" : "unseen"}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.key} role="columnheader" scope="col" data-align={column.align}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map((column) => (
              <td
                key={column.key}
                role="cell"
                data-label={column.label}
                data-align={column.align}
                data-place={column.place ?? "plain"}
              >
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The way to the next page of a list; says how many are shown so that nobody wonders. */
export function SeeMore({
  shown,
  more,
  loading,
  onMore,
}: {
  /** e.g. « 20 opérations affichées ». */
  shown: string;
  more: boolean;
  loading: boolean;
  onMore: () => void;
}) {
  return (
    <div className="see-more">
      <p aria-live="polite">{shown}</p>
      {more && (
        <Button loading={loading} onClick={onMore}>
          Voir plus
        </Button>
      )}
    </div>
  );
}
