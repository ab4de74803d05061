// The keyboard of a till: it types the amount wherever nothing else takes what is typed, and a hand reader types
// codes with it, which begin with letters.
import { type KeyboardEvent as FieldKey, useEffect, useEffectEvent, useRef } from "react";
import { codeKinds } from "#contract/signed-codes/kinds.ts";
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

/** What has keys of its own. */
const taken = "a, button, input, select, textarea, summary, dialog, [role=tab], [role=menuitem]";

const isCodeStart = (text: string): boolean =>
  Object.values(codeKinds).some((start) => start.startsWith(text) || text.startsWith(start));

/** Handles the keys of the amount's field, and those that nothing on the screen takes. */
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
        if (code === "") onAct();
        else onCode(code);
      } else if (key === "Escape") onCancel();
      else if (!type(key, replacesAll ? "" : latest.current)) return;
    }
    event.preventDefault();
  };
  const pressAnywhere = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (event.defaultPrevented || !(target instanceof Element) || target.closest(taken)) return;
    if (document.querySelector("dialog[open]")) return;
    press(event);
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
