// The keyboard of a till: it types the amount wherever nothing else takes what is typed, and a hand reader types
// codes with it, which begin with letters.
import { type KeyboardEvent as FieldKey, useEffect, useEffectEvent, useRef } from "react";
import { isCode, isCodeStart } from "#web/signed-codes/hand-reader.ts";
import { isPressed, isTyped } from "#web/ui/own-keys.ts";
import { pressKey } from "./amount-entry.ts";

interface SaleKeys {
  entry: string;
  onEntry: (entry: string) => void;
  /** Enter. */
  onAct: () => void;
  /** Escape. */
  onCancel: () => void;
  /** A whole code of a hand reader. */
  onCode: (code: string) => void;
}

/** Handles the keys of the amount's field, those that nothing on the screen takes, and a reader's everywhere. */
export function useSaleKeys({ entry, onEntry, onAct, onCancel, onCode }: SaleKeys) {
  const reader = useRef("");
  const latest = useRef(entry);
  useEffect(() => {
    latest.current = entry;
  });
  const type = (key: string, before = latest.current): boolean => {
    const next = pressKey(before, key);
    if (next === null) return false;
    // Two keys of one frame add up.
    latest.current = next;
    onEntry(next);
    return true;
  };
  const press = (event: KeyboardEvent, replacesAll = false): void => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (key === "Shift") return;
    const code = reader.current;
    const isReading = key.length === 1 && isCodeStart(code + key);
    reader.current = isReading ? code + key : "";
    if (!isReading) {
      if (key === "Enter") {
        if (isCode(code)) onCode(code);
        else onAct();
      } else if (key === "Escape") onCancel();
      else if (!type(key, replacesAll ? "" : latest.current)) return;
    }
    event.preventDefault();
  };
  const pressAnywhere = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.defaultPrevented || isTyped(target)) return;
    if (document.querySelector("dialog[open]")) return;
    // Whatever was pressed last, a hand reader types a whole code.
    const isRead =
      key === "Shift" ||
      (key === "Enter"
        ? isCode(reader.current)
        : key.length === 1 && isCodeStart(reader.current + key));
    if (isPressed(target) && !isRead) reader.current = "";
    else press(event);
  });
  useEffect(() => {
    const handle = (event: KeyboardEvent) => pressAnywhere(event);
    document.addEventListener("keydown", handle);
    return () => document.removeEventListener("keydown", handle);
  }, []);
  const pressInField = (event: FieldKey<HTMLInputElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    press(event.nativeEvent, selectionStart !== selectionEnd);
  };
  return { type, pressInField };
}
