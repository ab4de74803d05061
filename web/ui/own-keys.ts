// What has keys of its own, so that a counter leaves them to it.

/** What is typed into, and what stands over the screen. */
const typed = "input, select, textarea, dialog";
/** What Enter presses. */
const pressed = "a, button, summary, [role=tab], [role=menuitem]";

export const isTyped = (target: EventTarget | null): boolean =>
  !(target instanceof Element) || target.closest(typed) !== null;

export const isPressed = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(pressed) !== null;
