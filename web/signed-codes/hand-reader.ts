// A hand reader types the code that it reads as a keyboard does, wherever the keyboard stands, and ends with Enter.
import { useEffect, useEffectEvent, useRef } from "react";
import { codeKinds } from "#contract/signed-codes/kinds.ts";
import { isTyped } from "#web/ui/own-keys.ts";

const marks = Object.values(codeKinds);

/** Whether a text begins as the codes of Ma carte do. */
export const isCode = (text: string): boolean => marks.some((mark) => text.startsWith(mark));

/** Whether a text is a code, or becomes one with what is typed next. */
export const isCodeStart = (text: string): boolean =>
  isCode(text) || marks.some((mark) => mark.startsWith(text));

/** The end of what was typed that is a code, or becomes one with what is typed next; empty without one. */
export const codeStartIn = (text: string): string =>
  Array.from(text, (_, at) => text.slice(at)).find(isCodeStart) ?? "";

/** The code at the end of a field, after what somebody typed there before it was read; null without one. */
export function codeIn(text: string): string | null {
  const at = Math.max(...marks.map((mark) => text.lastIndexOf(mark)));
  return at === -1 ? null : text.slice(at).trim();
}

/** Calls back with each code that no field takes. The button that has the keyboard is not pressed by its Enter. */
export function useHandReader(onCode: (code: string) => void): void {
  const typed = useRef("");
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "Shift" || isTyped(target) || document.querySelector("dialog[open]")) return;
    const before = typed.current;
    const read = key.length === 1 ? codeStartIn(before + key) : "";
    const isWhole = key === "Enter" && isCode(before);
    typed.current = read;
    if (read !== "" || isWhole) event.preventDefault();
    if (isWhole) onCode(before);
  });
  useEffect(() => {
    const handle = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", handle);
    return () => document.removeEventListener("keydown", handle);
  }, []);
}
