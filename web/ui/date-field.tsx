// A date, always typed and shown as DD/MM/YYYY: the browser's own field would follow the browser's
// language. A calendar opens beside it for who would rather point.
import {
  type ChangeEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useCallback,
  useId,
  useRef,
  useState,
} from "react";
import { todayInParis } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { dayFault, isDay, maskDay, parseDay } from "./days.ts";
import { Field, type FieldText } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { placeBy } from "./place.ts";

const Calendar = lazy(async () => ({ default: (await import("./calendar.tsx")).Calendar }));

const written = (value: string): string => (isDay(value) ? formatDate(value) : value);

/**
 * `value` is a day (YYYY-MM-DD), the text itself while that is no day, or empty: `dayFault` tells
 * what is wrong. Where no button sends the value, `live` tells it on leaving the field; a line that
 * appears then would move the button away from under a press.
 */
export function DateField({
  label,
  hint,
  error,
  optional,
  value,
  onValue,
  min,
  max,
  live = false,
  autoComplete = "off",
}: FieldText & {
  value: string;
  onValue: (value: string) => void;
  min?: string | undefined;
  max?: string | undefined;
  live?: boolean;
  autoComplete?: "off" | "bday";
}) {
  const today = todayInParis();
  const [typed, setTyped] = useState(written(value));
  const [wasLeft, setWasLeft] = useState(false);
  // What is typed stays as typed; only a value that came from elsewhere replaces it.
  const display = (parseDay(typed, today, true) ?? typed) === value ? typed : written(value);
  const type = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const atEnd = target.selectionStart === target.value.length;
    const text = atEnd ? maskDay(display, target.value) : target.value;
    setTyped(text);
    setWasLeft(false);
    onValue(parseDay(text, today, true) ?? text);
  };
  /** A year of two digits is whole once the field is left. */
  const settle = () => {
    const day = parseDay(display, today);
    setTyped(day === null ? display : formatDate(day));
    if (day !== null && day !== value) onValue(day);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") settle();
  };
  const leave = () => {
    settle();
    setWasLeft(true);
  };
  const late = live && wasLeft && dayFault(value, { min, max });
  return (
    <Field {...{ label, hint }} error={error || late} optional={optional ?? false}>
      {(wiring) => (
        <div className="input-frame">
          <input
            {...wiring}
            className="input"
            type="text"
            inputMode="numeric"
            autoComplete={autoComplete}
            placeholder="JJ/MM/AAAA"
            required={!optional && !live}
            value={display}
            onChange={type}
            onKeyDown={press}
            onBlur={leave}
          />
          <CalendarButton {...{ min, max }} value={value} onValue={onValue} />
        </div>
      )}
    </Field>
  );
}

function CalendarButton({
  value,
  onValue,
  min,
  max,
}: {
  value: string;
  onValue: (value: string) => void;
  min: string | undefined;
  max: string | undefined;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDialogElement>(null);
  // Which opening it is, none while it is closed.
  const [opening, setOpening] = useState(0);
  // The calendar comes when it is first opened: its size and its days are known after that.
  const place = useCallback(() => {
    if (popup.current && button.current) placeBy(popup.current, button.current);
    popup.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, []);
  const choose = (day: string) => {
    onValue(day);
    popup.current?.hidePopover();
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="input-end"
        aria-label="Ouvrir le calendrier"
        aria-haspopup="dialog"
        aria-expanded={opening > 0}
        popoverTarget={id}
      >
        <Icon name="calendar" size={20} />
      </button>
      <dialog
        ref={popup}
        id={id}
        popover="auto"
        aria-label="Choisir une date"
        className="popup calendar"
        // Closed and opened again before either is told, it is told once that it is open: each opening begins
        // at the chosen day.
        onToggle={({ newState }) => setOpening((last) => (newState === "open" ? last + 1 : 0))}
      >
        {opening > 0 && (
          <Suspense>
            <Calendar
              key={opening}
              {...{ min, max }}
              value={value}
              onValue={choose}
              onShown={place}
            />
          </Suspense>
        )}
      </dialog>
    </>
  );
}
