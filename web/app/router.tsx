// From the route table to a running router: guards before screens, canonical spelling, titles,
// scrolling, and the shared message (spec §2, spec.md 1 to 6).
import type { ComponentType } from "react";
import { notFoundTitle, setPageTitle } from "#web/ui/page-title.ts";
import {
  bareSegments,
  type Entry,
  type Gates,
  isBuilt,
  type Layout,
  type Screens,
} from "./route-entry.ts";
import { connectivity, online } from "./connectivity.ts";
import { decide, paths } from "./guards.ts";
import { browserHistory, type History, type Location } from "./history.ts";
import { recoverUser } from "./login.ts";
import { matcherOf } from "./matching.ts";
import { clearMessage, deliverMessage } from "./message.ts";
import { endParameter, ends, fill, returnParameter } from "./addresses.ts";
import type { Drawn } from "./navigation.tsx";
import { type Place, Redirect, type Router, routerOf, type Shown } from "./router-core.ts";
import { closeSession, currentUser, forget, storedUser } from "./session.ts";
import { readToken, stateOfToken } from "./token.ts";

export interface Frame extends Omit<Drawn, "onShown"> {
  notFound: ComponentType;
  /** The data that a layout needs before it is entered; it says itself what went wrong. */
  prepare: (layout: Layout) => Promise<void>;
  /** The data that a screen is entered by, last of all (spec.md 2). */
  gates?: Gates;
}

/**
 * Builds the router of a table of paths and their screens, and what draws it. `history` is the browser's
 * unless a test brings its own.
 */
export function buildRouter(
  table: readonly Entry[],
  screens: Readonly<Partial<Screens>>,
  frame: Frame,
  history: History = browserHistory,
): { router: Router; drawn: Drawn } {
  const entries: readonly Entry[] = [...table, ...bareSegments(table).map(bare)];
  const find = matcherOf(entries);
  const nowhere = bare("/*");
  const screenOf = async (entry: Entry) => screens[entry.path]?.() ?? frame.notFound;
  const router = routerOf(history, {
    // The specification's catch-all.
    find: (pathname) => find(pathname) ?? { entry: nowhere, params: {} },
    screenOf,
    admit: async (place, location) => {
      const { entry } = place;
      if (entry === nowhere) return;
      await admit(place, location);
      // Its code comes beside what the layout waits for; a failure is told when it is shown.
      void screenOf(entry).catch(() => {});
      if (!entry.offline || connectivity.get()) await frame.prepare(entry.layout);
      // What was prepared may have told that the session is over, or that a reset is due.
      if (entry.guard.kind === "person") await guard(entry, location, true);
      const to = await frame.gates?.[entry.path]?.();
      if (to) throw new Redirect({ to, replace: true });
    },
    onLeave: clearMessage,
  });
  let before: string | undefined;
  const onShown = ({ entry, location, keepScroll }: Shown) => {
    setPageTitle(isBuilt(entry) ? entry.title : notFoundTitle);
    if (!keepScroll) scroll(location.hash);
    if (location.pathname !== before) arrive(before !== undefined);
    before = location.pathname;
  };
  return { router, drawn: { ...frame, onShown } };
}

/** Every navigation ends at the top-left (spec §2), or at the part of the screen that it names. */
function scroll(hash: string): void {
  const part = hash && document.getElementById(hash);
  if (part) part.scrollIntoView();
  else scrollTo({ left: 0, top: 0, behavior: "instant" });
}

/** The keyboard stands at the heading of the new screen. */
function arrive(movedHere: boolean): void {
  const main = document.getElementById("contenu");
  if (movedHere && main) void import("./arrival.ts").then(({ focusArrival }) => focusArrival(main));
  deliverMessage();
}

const bare = (path: Entry["path"]): Entry => ({
  path,
  name: null,
  layout: "plain",
  guard: { kind: "open" },
  planned: true,
});

/** Lets the person enter, or throws the redirect to where they must go. */
async function admit({ entry, params }: Place, location: Location): Promise<void> {
  // Offline comes first: the offline page covers the view, and nothing is decided behind it.
  if (!entry.offline) await online();
  if (entry.guard.kind !== "open") await guard(entry, location);
  if (entry.redirect) {
    throw new Redirect({ ...location, to: entry.redirect, replace: true });
  }
  const canonical = fill(entry.path, params);
  if (canonical !== location.pathname) {
    throw new Redirect({ ...location, to: canonical, replace: true });
  }
}

/** `wasIn` tells that the session was whole a moment ago: without one now, it has just ended. */
async function guard(entry: Entry, location: Location, wasIn = false): Promise<void> {
  const token = stateOfToken(readToken());
  const user = token === "valid" ? ((await storedUser()) ?? (await recoverUser())) : null;
  const verdict = decide(entry.guard, { token, user });
  // Somebody is in, without the cookie: not a first visit.
  const missing = token === "missing" && currentUser.get() !== null;
  // The redirect below leads to the login by itself; the other tabs are told.
  if (verdict.end) closeSession();
  if (token === "missing") forget();
  if (verdict.to === null) return;
  const here = location.href;
  const ended = verdict.end || (wasIn && token === "missing");
  const back = verdict.comeBack && here !== "/" && here !== paths.home;
  throw new Redirect({
    to: verdict.to,
    search: {
      ...(back && { [returnParameter]: here }),
      ...(missing && { [endParameter]: ends.missing }),
      ...(ended && !missing && { [endParameter]: ends.ended }),
    },
    replace: true,
  });
}
