// The days of a month as a table, Monday first, with the keys of the ARIA grid pattern
// (https://www.w3.org/WAI/ARIA/apg/patterns/dialog-modal/examples/datepicker-dialog/).
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import "./month-grid.css";
import { addDays, addMonths, weekdayOf, weeksOf } from "./days.ts";

const weekdays = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"];

/** The day that a key leads to, null for any other key. */
function dayAfterKey(event: KeyboardEvent, day: string): string | null {
  const { key, shiftKey } = event;
  // Alt and an arrow go back in the history.
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  const months = shiftKey ? 12 : 1;
  if (key === "ArrowLeft") return addDays(day, -1);
  if (key === "ArrowRight") return addDays(day, 1);
  if (key === "ArrowUp") return addDays(day, -7);
  if (key === "ArrowDown") return addDays(day, 7);
  if (key === "PageUp") return addMonths(day, -months);
  if (key === "PageDown") return addMonths(day, months);
  if (key === "Home") return addDays(day, -weekdayOf(day));
  if (key === "End") return addDays(day, 6 - weekdayOf(day));
  return null;
}

/** The month of `day`, an ISO date: the one day that Tab leads to. */
export function MonthGrid({
  day: current,
  onDay,
  labelledBy,
  isSelected,
  multiple = false,
  children,
}: {
  day: string;
  /** A key leads to another day, perhaps of another month. */
  onDay: (day: string) => void;
  /** Id of the element that names the month. */
  labelledBy: string;
  isSelected: (day: string) => boolean;
  /** Whether several days may be selected. */
  multiple?: boolean;
  /** The button of a day, with the `tabIndex` that it takes. */
  children: (day: string, tabIndex: 0 | -1) => ReactNode;
}) {
  const grid = useRef<HTMLTableElement>(null);
  // The caller may take the day that a key leads to a little later: the focus waits for it.
  const left = useRef<string>(null);
  useEffect(() => {
    if (left.current === null || left.current === current) return;
    left.current = null;
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [current]);
  const press = (event: KeyboardEvent) => {
    const next = dayAfterKey(event, current);
    if (next === null) return;
    event.preventDefault();
    left.current = current;
    onDay(next);
  };
  return (
    <table
      ref={grid}
      role="grid"
      aria-labelledby={labelledBy}
      aria-multiselectable={multiple || undefined}
      className="month-grid"
      onKeyDown={press}
    >
      <thead>
        <tr>
          {weekdays.map((name) => (
            <th key={name} scope="col" abbr={name}>
              <span aria-hidden="true">{name.slice(0, 2)}</span>
              <span className="unseen">{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(current).map((week) => (
          <tr key={week.find((day) => day !== null)}>
            {week.map((day, column) =>
              day === null ? (
                <td key={weekdays[column]}>{"\u00a0"}</td>
              ) : (
                <td key={day} aria-selected={isSelected(day)}>
                  {children(day, day === current ? 0 : -1)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
