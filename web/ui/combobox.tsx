// One of many, found by typing. Accents and case do not matter. The focus stays in the field: arrows
// move a mark through the list, Enter takes what is marked, Escape closes, then clears.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the focus stays in the field, as the combobox pattern asks; <datalist> minds accents */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import "./popup.css";
import type { Option } from "./choice.tsx";
import { Field, type FieldText, type Wiring } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { placeBy } from "./place.ts";

const bare = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

interface Chosen<T extends string> {
  options: readonly Option<T>[];
  value: T | null;
  onValue: (value: T | null) => void;
  placeholder?: string | undefined;
}

export function Combobox<T extends string>({
  label,
  hint,
  error,
  optional,
  ...chosen
}: FieldText & Chosen<T>) {
  return (
    <Field {...{ label, hint, error }} optional={optional ?? false}>
      {(wiring) => <Control {...chosen} label={label} wiring={wiring} />}
    </Field>
  );
}

/** Shows the list while it is open, at the field, and keeps the mark in view. */
export function useOptionList(open: boolean, active: number, count: number) {
  const field = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!list.current || !field.current) return;
    const isOpen = list.current.matches(":popover-open");
    if (open && !isOpen) list.current.showPopover();
    if (!open && isOpen) list.current.hidePopover();
    // Again at each change of length: a list above its field grows upwards.
    if (open && count >= 0) placeBy(list.current, field.current, true);
  }, [open, count]);
  useEffect(() => {
    if (open) list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [open, active]);
  return { field, list };
}

function Control<T extends string>({
  options,
  value,
  onValue,
  placeholder,
  label,
  wiring,
}: Chosen<T> & { label: string; wiring: Wiring }) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const current = options.find((option) => option.value === value);
  const found = typed
    ? options.filter(({ label: text }) => bare(text).includes(bare(typed)))
    : options;
  const { field, list } = useOptionList(open, active, found.length);
  const close = () => {
    setOpen(false);
    setTyped(null);
  };
  const show = () => {
    setActive(Math.max(0, typed === null ? options.findIndex((one) => one === current) : 0));
    setOpen(true);
  };
  const take = (option: Option<T> | undefined) => {
    if (option) onValue(option.value);
    close();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (!open) show();
      else setActive((active + step + found.length) % Math.max(1, found.length));
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      take(found[active]);
    } else if (event.key === "Escape" && (open || typed !== null || value !== null)) {
      event.preventDefault();
      if (!open) onValue(null);
      close();
    }
  };
  return (
    <div className="input-frame" ref={field}>
      <input
        {...wiring}
        className="input"
        type="text"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={id}
        aria-activedescendant={open && found[active] ? `${id}-${active}` : undefined}
        placeholder={placeholder}
        value={typed ?? current?.label ?? ""}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
          setOpen(true);
        }}
        onClick={show}
        onKeyDown={press}
        onBlur={close}
      />
      <span className="input-end select-mark">
        <Icon name="down" size={20} />
      </span>
      <div
        ref={list}
        id={id}
        popover="manual"
        role="listbox"
        aria-label={label}
        className="popup popup-fit"
      >
        {found.map((option, index) => (
          <ListOption
            key={option.value}
            id={`${id}-${index}`}
            active={index === active}
            selected={option.value === value}
            onTake={() => take(option)}
          >
            {option.label}
          </ListOption>
        ))}
        {found.length === 0 && (
          <div role="option" aria-selected={false} aria-disabled className="popup-empty">
            Aucun résultat.
          </div>
        )}
      </div>
    </div>
  );
}

/** One line of the list. */
export function ListOption({
  id,
  active,
  selected,
  onTake,
  children,
}: {
  id: string;
  active: boolean;
  selected: boolean;
  onTake: () => void;
  children: ReactNode;
}) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={selected}
      className="popup-item"
      data-active={active || undefined}
      // The press must not take the focus from the field, which would close the list first.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      <span className="popup-label">{children}</span>
      {selected && <Icon name="check" size={20} />}
    </div>
  );
}
