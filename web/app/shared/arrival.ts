// Where the keyboard stands after a navigation, and after an act that takes away what had the focus.
// Loaded apart: the first screen has no use for it.
import { isPlaceId } from "#contract/places.ts";
import { queryClient } from "#web/app/transport/answers.ts";
import { notify } from "#web/ui/toast.tsx";

let leavePlace = (): void => {};
const timeoutMs = 10_000;
/** A screen that has not changed for so long, and loads nothing, holds what it will. */
const calmMs = 1000;

const isNowhere = () => document.activeElement === null || document.activeElement === document.body;

/** Brings a place to the top of the view, and its last button into it, where it is not wholly seen. */
function bringIntoView(place: HTMLElement): void {
  const { top, bottom } = place.getBoundingClientRect();
  // The bar at the bottom covers it.
  const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom);
  if (top >= 0 && bottom <= innerHeight - (covered || 0)) return;
  place.style.scrollMarginTop = "1rem";
  place.scrollIntoView({ block: "start" });
  const acts = [...place.querySelectorAll("button, a")].filter((one) => one.checkVisibility());
  acts.at(-1)?.scrollIntoView({ block: "nearest" });
}

/**
 * A navigation arrived, or a link led elsewhere on the same screen. Where the fragment of the address names a
 * place (contract/places.ts), the keyboard stands there and it is in view, as soon as it is there and while what
 * is above it still loads; a place that is no more is told.
 * Else, after a navigation, the keyboard stands at the heading of the screen, or at its start until the heading
 * is there. A heading drawn anew while the screen loads keeps it. All unless one has moved on.
 */
export function focusArrival(main: HTMLElement, moved: boolean): void {
  leavePlace();
  const id = location.hash.slice(1);
  // What is after `=` is the secret of a shared link.
  const isNamed = id !== "" && !id.includes("=");
  const take = () => {
    // What is replaced stays in the page, hidden, while the code of the next one loads.
    const seen = [...main.querySelectorAll("h1")].find((one) => one.checkVisibility());
    const place = seen ?? main;
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  };
  const isLost = () => isNowhere() || document.activeElement === main;
  // This module may have loaded after a fast hand chose its place on the new screen: it stays there.
  if (moved && (!main.contains(document.activeElement) || isLost())) take();
  let arrived: HTMLElement | null = null;
  let calm: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    const place = isNamed ? document.getElementById(id) : null;
    if (!place?.checkVisibility()) {
      if (moved && isLost()) take();
      if (!isPlaceId(id) || arrived) return;
      clearTimeout(calm);
      calm = setTimeout(tellGone, calmMs);
      return;
    }
    clearTimeout(calm);
    if (place !== arrived) {
      arrived = place;
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
    }
    bringIntoView(place);
  };
  const tellGone = () => {
    if (queryClient.isFetching() > 0 || main.querySelector('[aria-busy="true"]')) return look();
    if (!main.querySelector('[role="alert"]'))
      notify({ text: "Cela n’attend plus votre réponse." });
  };
  const observer = new MutationObserver(look);
  observer.observe(main, { childList: true, subtree: true });
  if (isNamed) look();
  const timer = setTimeout(() => leavePlace(), timeoutMs);
  const events = ["keydown", "pointerdown", "wheel"] as const;
  leavePlace = () => {
    observer.disconnect();
    clearTimeout(calm);
    clearTimeout(timer);
    for (const name of events) removeEventListener(name, leavePlace, true);
  };
  for (const name of events) addEventListener(name, leavePlace, true);
}

/** The element that had the focus last. */
interface Focused {
  element: HTMLElement;
  /** The dialog or the screen that it stands in. */
  holder: HTMLElement | null;
  /** Where the focus goes when it is gone, the nearest place first. */
  places: readonly HTMLElement[];
  /** The element that had the focus when its dialog opened. */
  behind: Focused | null;
  byKey: boolean;
}

/** `element` has the focus; what had it before is `last`. */
function toFocused(element: EventTarget | null, last: Focused | null): Focused | null {
  if (!(element instanceof HTMLElement)) return null;
  const holder = element.closest<HTMLElement>("dialog, main");
  const above = [...(holder?.querySelectorAll<HTMLElement>("h1, h2, h3") ?? [])].filter(
    (one) => one.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const around = element.parentElement?.closest<HTMLElement>('[tabindex="-1"]:not(main)');
  const places = [...(around ? [around] : []), ...above.toReversed()];
  const isModal = holder?.localName === "dialog";
  const behind = isModal && last ? (last.holder === holder ? last.behind : last) : null;
  return { element, holder, places, behind, byKey: element.matches(":focus-visible") };
}

const isGone = (one: HTMLElement) => !one.isConnected || !one.checkVisibility();

/** Gives the focus to what is left of what had it: the heading above it, then what opened its dialog. */
function focusNearest(gone: Focused): boolean {
  const take = (place: HTMLElement) => {
    if (isGone(place)) return false;
    if (place.tabIndex < 0) place.tabIndex = -1;
    // Who uses the keyboard sees where it is; the screen does not move under a finger.
    place.focus({ preventScroll: !gone.byKey });
    return document.activeElement === place;
  };
  if (gone.places.some(take)) return true;
  return gone.behind !== null && (take(gone.behind.element) || focusNearest(gone.behind));
}

/**
 * From now on, where an act takes away what had the focus (a line removed, a view changed, a dialog taken out
 * of the page) and its screen gives the focus to nothing else, the nearest heading above has it. A control
 * that was disabled for a moment has it back. `first` had the focus when this module was asked for.
 */
export function keepFocus(first: EventTarget | null): void {
  let last = toFocused(isNowhere() ? first : document.activeElement, null);
  let wasDisabled = false;
  let isLooking = false;
  const look = () => {
    isLooking = false;
    if (!last || !isNowhere()) return;
    const gone = last;
    if (!isGone(gone.element)) {
      const isDisabled = gone.element.matches(":disabled");
      if (wasDisabled && !isDisabled) gone.element.focus({ preventScroll: true });
      wasDisabled = isDisabled;
      return;
    }
    last = null;
    const main = document.getElementById("contenu");
    if (!focusNearest(gone) && main) focusArrival(main, true);
  };
  addEventListener("focusin", ({ target }) => {
    last = toFocused(target, last);
    wasDisabled = false;
    // On a line that scrolls sideways the browser leaves what is half in sight where it is.
    if (last?.byKey && last.element.matches("a, button"))
      last.element.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  // What is still there was left for nothing: by a press beside it, or by Tab at the end of the page. A
  // dialog that closes then still gives the focus back.
  addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget) return;
    setTimeout(() => {
      if (!last || !isNowhere() || isGone(last.element)) return;
      if (!last.behind && !last.element.matches(":disabled")) last = null;
    });
  });
  const onChange = () => {
    if (!last || isLooking || !isNowhere()) return;
    isLooking = true;
    // After the next drawing: what the screen itself gives the focus to comes first.
    requestAnimationFrame(() => requestAnimationFrame(look));
  };
  const attributeFilter = ["disabled", "hidden", "inert", "open", "style"];
  const changes = { childList: true, subtree: true, attributeFilter };
  new MutationObserver(onChange).observe(document.body, changes);
  // While this module was loading, the act may already have been done.
  onChange();
}
