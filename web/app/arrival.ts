// Where the keyboard stands after a navigation. Loaded apart: the first screen has no use for it.

let leavePlace = (): void => {};
const patienceMs = 10_000;

/**
 * A navigation arrived: the keyboard stands at the heading of the screen, or at its start until the
 * heading is there. A heading drawn anew while the screen loads keeps it, unless one has moved on.
 */
export function focusArrival(main: HTMLElement): void {
  leavePlace();
  const take = () => {
    const place = main.querySelector("h1") ?? main;
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  };
  const isLost = () => [null, document.body, main].includes(document.activeElement as HTMLElement);
  // This module may have loaded after a fast hand chose its place on the new screen: it stays there.
  if (!main.contains(document.activeElement) || isLost()) take();
  const observer = new MutationObserver(() => isLost() && take());
  observer.observe(main, { childList: true, subtree: true });
  const timer = setTimeout(() => leavePlace(), patienceMs);
  const events = ["keydown", "pointerdown"] as const;
  leavePlace = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const name of events) removeEventListener(name, leavePlace, true);
  };
  for (const name of events) addEventListener(name, leavePlace, true);
}
