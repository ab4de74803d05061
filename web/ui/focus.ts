// Where the keyboard stands when a screen changes under it.
import { type RefObject, useEffect, useRef } from "react";

/**
 * Each step begins at its heading, for the eyes and for the ears; the first one leaves the page
 * alone. Put the answer on the element that holds the step; inside a dialog, the dialog's title.
 */
export function useFocusAtStep(step: number | string): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const holder = place.current?.closest("dialog") ?? place.current;
    const heading = holder?.querySelector<HTMLElement>("h1, h2");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  }, [step]);
  return place;
}

/**
 * When one of `count` things goes and takes the focus with it, the first heading has it, or what
 * `selector` finds first. Put the answer on the element that holds both.
 */
export function useFocusAfterRemoval(
  count: number,
  selector = "h1, h2",
): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const isFewer = count < before.current;
    before.current = count;
    if (!isFewer || document.activeElement !== document.body) return;
    const heading = place.current?.querySelector<HTMLElement>(selector);
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  }, [count, selector]);
  return place;
}
