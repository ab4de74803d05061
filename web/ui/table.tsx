// A native table that becomes a list of cards under 640 px, and where its columns would be too narrow for
// words. Its roles are written out because browsers drop them from tables whose display is changed.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import { type ButtonHTMLAttributes, type CSSProperties, Fragment, type ReactNode } from "react";
import { type AnchorProps, Link } from "./link.tsx";
import "./table.css";

export interface Column<Row> {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** `end` for amounts. */
  align?: "start" | "end";
  /**
   * Where the cell stands in the card of a narrow screen; `plain` cells are listed with their label unless
   * they are empty, `wide` ones left out.
   */
  place?: "title" | "end" | "plain" | "wide";
}

export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  groupOf,
  groupEnd,
  head = true,
  showCaption = false,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Rows that follow each other with the same word stand under it: « hier ». */
  groupOf?: (row: Row) => string;
  /** What stands at the end of the heading over a row: the total of a day. */
  groupEnd?: ((row: Row) => ReactNode) | undefined;
  /** False hides the labels of the columns from the eyes. */
  head?: boolean;
  showCaption?: boolean;
}) {
  const lines = rows.map((row, index) => {
    const before = rows[index - 1];
    const group = groupOf?.(row);
    return { row, group: before && groupOf?.(before) === group ? undefined : group };
  });
  return (
    <div className="table-frame" style={{ "--columns": columns.length } as CSSProperties}>
      <table className="table" role="table" data-grouped={groupOf ? true : undefined}>
        <caption className={showCaption ? "table-caption" : "unseen"}>{caption}</caption>
        <thead role="rowgroup" className={head ? undefined : "unseen"}>
          <tr role="row">
            {columns.map((column) => (
              <th key={column.key} role="columnheader" scope="col" data-align={column.align}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {lines.map(({ row, group }) => (
            <Fragment key={keyOf(row)}>
              {group && (
                <tr role="row" className="table-group">
                  <th role="rowheader" scope="rowgroup" colSpan={columns.length}>
                    {groupEnd ? (
                      <div className="table-group-line">
                        <div className="table-group-name">{group}</div>
                        <div className="table-group-end">{groupEnd(row)}</div>
                      </div>
                    ) : (
                      group
                    )}
                  </th>
                </tr>
              )}
              <tr role="row">
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
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Opens what a row is about: a press anywhere on the row presses it. */
export const RowButton = (
  props: Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "type">,
) => <button {...props} type="button" className="row-open" />;

/** Leads to what a row is about, from anywhere on the row. */
export const RowLink = (props: Omit<AnchorProps, "className">) => (
  <Link {...props} className="row-open" />
);
