// Where the keyboard stands when a screen changes under it.
import { type RefObject, useEffect, useRef } from "react";

/**
 * Each step begins at its heading, for the eyes and for the ears, also where its code is still
 * loaded; the first one leaves the page alone. Put the answer on the element that holds the step;
 * inside a dialog, the dialog's title.
 */
export function useFocusAtStep(step: number | string): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const lastStep = useRef(step);
  useEffect(() => {
    if (lastStep.current === step) return;
    lastStep.current = step;
    const holder = place.current?.closest("dialog") ?? place.current;
    if (!holder || focusHeading(holder)) return;
    // The step is still loaded, the last one is hidden until then.
    const loaded = new MutationObserver(() => {
      if (focusHeading(holder)) loaded.disconnect();
    });
    loaded.observe(holder, { childList: true, subtree: true, attributeFilter: ["style"] });
    return () => loaded.disconnect();
  }, [step]);
  return place;
}

function focusHeading(holder: HTMLElement): boolean {
  const headings = [...holder.querySelectorAll<HTMLElement>("h1, h2")];
  const heading = headings.find((one) => one.checkVisibility());
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
  return heading !== undefined;
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

/**
 * What a screen tells in answer to a press, brought into view each time that `news` changes; it has
 * the focus where what was pressed is gone, with `overHeading` also where a heading took it over meanwhile.
 * Put the answer on the element that holds it.
 */
export function useNewsInView(
  news: string | number | undefined,
  { overHeading = false } = {},
): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!news || !place.current) return;
    place.current.scrollIntoView({ block: "nearest" });
    const { activeElement } = document;
    const isFree =
      activeElement === document.body || (overHeading && activeElement?.matches("h1, h2"));
    if (!isFree) return;
    place.current.setAttribute("tabindex", "-1");
    place.current.focus({ preventScroll: true });
  }, [news, overHeading]);
  return place;
}
