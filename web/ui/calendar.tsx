// A month to choose a day from: its head with month and year, and its days.
import { useEffect, useId, useState } from "react";
import { todayInParis } from "#contract/days.ts";
import "./calendar.css";
import "./popup.css";
import { IconButton } from "./button.tsx";
import { addMonths, isDay } from "./days.ts";
import { MonthGrid } from "./month-grid.tsx";

const inWords = new Intl.DateTimeFormat("fr-FR", { timeZone: "UTC", dateStyle: "full" });
const monthInWords = new Intl.DateTimeFormat("fr-FR", { timeZone: "UTC", month: "long" });
const monthNames = Array.from({ length: 12 }, (_, month) =>
  monthInWords.format(new Date(Date.UTC(2026, month, 1))),
);
/** Years offered before and after today where no bound says otherwise. */
const yearsBefore = 110;
const yearsAfter = 10;

// « 1 », not « 1er »: what is said must hold what is shown (WCAG 2.5.3).
const sayDay = (day: string): string => inWords.format(new Date(day));

interface Props {
  /** The chosen day; anything else stands for none. */
  value: string;
  onValue: (day: string) => void;
  min: string | undefined;
  max: string | undefined;
  /** Called once the calendar stands: the caller places it and gives it the focus. */
  onShown: () => void;
}

/** A month around the chosen day, or today; the caller shows it in a popover and closes that. */
export function Calendar({ value, onValue, min, max, onShown }: Props) {
  const today = todayInParis();
  const within = (day: string) => (min && day < min ? min : max && day > max ? max : day);
  const [current, setCurrent] = useState(() => within(isDay(value) ? value : today));
  const id = useId();
  useEffect(onShown, [onShown]);
  return (
    <>
      <MonthChoice {...{ current, min, max, today, id }} onDay={(day) => setCurrent(within(day))} />
      <MonthGrid
        day={current}
        onDay={(day) => setCurrent(within(day))}
        labelledBy={id}
        isSelected={(day) => day === value}
      >
        {(day, tabIndex) => (
          <button
            type="button"
            className="calendar-day"
            tabIndex={tabIndex}
            aria-label={sayDay(day)}
            aria-current={day === today ? "date" : undefined}
            disabled={within(day) !== day}
            onClick={() => onValue(day)}
          >
            {Number(day.slice(8))}
          </button>
        )}
      </MonthGrid>
    </>
  );
}

/** Month and year: by one with the arrows, at once with the lists. */
function MonthChoice({
  current,
  min,
  max,
  today,
  id,
  onDay,
}: Pick<Props, "min" | "max"> & {
  current: string;
  today: string;
  id: string;
  onDay: (day: string) => void;
}) {
  const year = Number(current.slice(0, 4));
  const month = Number(current.slice(5, 7)) - 1;
  const thisYear = Number(today.slice(0, 4));
  const first = Math.min(year, min ? Number(min.slice(0, 4)) : thisYear - yearsBefore);
  const last = Math.max(year, max ? Number(max.slice(0, 4)) : thisYear + yearsAfter);
  const monthOf = (count: number) => addMonths(current, count).slice(0, 7);
  // At either end the button keeps the focus that it has, and does nothing.
  const isFirst = min !== undefined && monthOf(-1) < min.slice(0, 7);
  const isLast = max !== undefined && monthOf(1) > max.slice(0, 7);
  return (
    <div className="calendar-head">
      <IconButton
        icon="left"
        label="Mois précédent"
        aria-disabled={isFirst || undefined}
        onClick={() => !isFirst && onDay(addMonths(current, -1))}
      />
      <select
        className="calendar-select"
        aria-label="Mois"
        value={month}
        onChange={({ target }) => onDay(addMonths(current, Number(target.value) - month))}
      >
        {monthNames.map((name, index) => (
          <option key={name} value={index}>
            {name}
          </option>
        ))}
      </select>
      <select
        className="calendar-select"
        aria-label="Année"
        value={year}
        onChange={({ target }) => onDay(addMonths(current, 12 * (Number(target.value) - year)))}
      >
        {Array.from({ length: last - first + 1 }, (_, index) => last - index).map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <IconButton
        icon="right"
        label="Mois suivant"
        aria-disabled={isLast || undefined}
        onClick={() => !isLast && onDay(addMonths(current, 1))}
      />
      <span className="unseen" id={id} aria-live="polite">
        {monthNames[month]} {year}
      </span>
    </div>
  );
}
