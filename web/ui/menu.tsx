// A list of actions behind one button, on the browser's own popover: it comes in the top layer, and
// Escape or a press elsewhere closes it.
import { type KeyboardEvent, useId, useRef, useState } from "react";
import "./button.css";
import "./popup.css";
import { Icon, type IconName } from "./icon.tsx";
import { placeBy } from "./place.ts";

export interface MenuItem {
  label: string;
  icon?: IconName;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
}

const selector = '[role="menuitem"]:not(:disabled)';

function moveWithin(menu: HTMLElement, key: string): boolean {
  const items = [...menu.querySelectorAll<HTMLButtonElement>(selector)];
  const at = items.indexOf(document.activeElement as HTMLButtonElement);
  const letter = key.length === 1 ? key.toLowerCase() : null;
  const ahead = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  const found =
    key === "ArrowDown"
      ? ahead[0]
      : key === "ArrowUp"
        ? items.at(at <= 0 ? -1 : at - 1)
        : key === "Home"
          ? items[0]
          : key === "End"
            ? items.at(-1)
            : letter &&
              ahead.find((item) => item.textContent.trim().toLowerCase().startsWith(letter));
  if (found) found.focus();
  return Boolean(found);
}

/** Without `text`, the button is the icon alone, named by `label`; in a ButtonGroup, `down` is usual. */
export function Menu({
  label,
  text,
  icon = "more",
  items,
}: {
  label: string;
  text?: string;
  icon?: "more" | "down";
  items: readonly MenuItem[];
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => {
    menu.current?.hidePopover();
    button.current?.focus();
  };
  const toggled = (nowOpen: boolean) => {
    setOpen(nowOpen);
    if (!nowOpen || !menu.current || !button.current) return;
    placeBy(menu.current, button.current);
    menu.current.querySelector<HTMLButtonElement>(selector)?.focus();
  };
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === "Tab") close();
    else if (menu.current && moveWithin(menu.current, event.key)) event.preventDefault();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={text ? "button" : "icon-button"}
        aria-haspopup="menu"
        aria-expanded={open}
        popoverTarget={id}
        title={text ? undefined : label}
      >
        {text ? <span>{text}</span> : <span className="unseen">{label}</span>}
        <Icon name={text ? "down" : icon} size={text ? 20 : 24} />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="popup"
        onToggle={(event) => toggled(event.newState === "open")}
        onKeyDown={press}
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className="popup-item"
            data-danger={item.danger || undefined}
            disabled={item.disabled}
            onClick={() => {
              close();
              item.onSelect();
            }}
          >
            {item.icon && <Icon name={item.icon} size={20} />}
            <span className="popup-label">{item.label}</span>
          </button>
        ))}
      </div>
    </>
  );
}
