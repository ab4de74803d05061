// Where the keyboard stands when a screen changes under it.
import { type RefObject, useEffect, useRef } from "react";

/**
 * Each step begins at its heading, for the eyes and for the ears; the first one leaves the page
 * alone. Put the answer on the element that holds the step.
 */
export function useFocusAtStep(step: number | string): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const heading = place.current?.querySelector<HTMLElement>("h1, h2");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  }, [step]);
  return place;
}
