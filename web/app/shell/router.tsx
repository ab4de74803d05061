// From the route table to a running router: guards before screens, canonical spelling, titles,
// scrolling, and the shared message (spec §2, spec.md 1 to 6).
import {
  createRouter,
  type ErrorComponentProps,
  isRedirect,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from "@tanstack/react-router";
import { type AnyRoute, BaseRootRoute, BaseRoute } from "@tanstack/router-core";
import { type ReactNode, useLayoutEffect } from "react";
import { fill, readSearch, writeSearch } from "#contract/address.ts";
import { plainPath } from "#contract/local-path.ts";
import { paths } from "#contract/paths.ts";
import { endParameter, ends, returnParameter } from "#web/app/shared/addresses.ts";
import { decide } from "#web/app/shared/guards.ts";
import {
  bareSegments,
  type Entry,
  isBuilt,
  type Layout,
  type LoadScreen,
  type Wait,
} from "#web/app/shared/route-entry.ts";
import { connectivity, online } from "#web/app/transport/connectivity.ts";
import { recoverUser } from "#web/app/transport/login.ts";
import { clearMessage, deliverMessage } from "#web/app/transport/message.ts";
import { closeSession, currentUser, forget, storedUser } from "#web/app/transport/session.ts";
import { readToken, stateOfToken } from "#web/app/transport/token.ts";
import { notFoundTitle, setPageTitle } from "#web/ui/page-title.ts";
import { clearErrorNotices } from "#web/ui/toast.tsx";

// `createRoute` gives each route the library's `Link` and a hook for each of its values, which no screen uses and
// every visit would load. The types know only those.
const rootRoute = (options: ConstructorParameters<typeof BaseRootRoute>[0]): AnyRoute =>
  new BaseRootRoute(options) as object as AnyRoute;
const route = (options: Partial<AnyRoute["options"]>): AnyRoute =>
  new BaseRoute(options as never) as object as AnyRoute;

type Part = () => ReactNode;

export interface Frame {
  /** Around everything, offline page included. */
  root: Part;
  layouts: Record<Layout, Part>;
  notFound: Part;
  /** Drawn until a screen is there; for a redirected address, the wait of its target. */
  pending: (screen: Wait) => ReactNode;
  /** The wait of a screen that has one of its own. */
  waits?: Readonly<Partial<Record<Entry["path"], Frame["pending"]>>>;
  failed: (props: ErrorComponentProps) => ReactNode;
  /** The data that a layout needs before it is entered; it says itself what went wrong. */
  prepare: (layout: Layout) => Promise<void>;
  /** The data that a screen is entered by, last of all (spec.md 2). */
  gate?: (path: Entry["path"]) => Promise<string | null>;
}

/** Redirects in a row, without a screen between them, after which a fault is shown. */
const maxRedirects = 10;
/** The screen that one leaves stays for so long, then the wait of the next one takes its place. */
const pendingMs = 300;

interface Arrival {
  location: { pathname: string; searchStr: string; hash: string };
  params: Record<string, string>;
  cause: "preload" | "enter" | "stay";
}

/** The results of the navigations before this one. */
interface Trail {
  /** Where the last finished one arrived: the same path again is no navigation (spec.md 5). */
  settled?: string;
  /** Redirects since then. */
  redirects: number;
}

/**
 * Builds the router of a table of paths; `loadScreen` brings the screen of one when it is entered.
 * `history` is the browser's unless a test brings its own.
 */
export function buildRouter(
  table: readonly Entry[],
  loadScreen: LoadScreen,
  frame: Frame,
  history?: RouterHistory,
) {
  const trail: Trail = { redirects: 0 };
  const root = rootRoute({ component: frame.root, notFoundComponent: frame.notFound });
  const entries: readonly Entry[] = [...table, ...bareSegments(table).map(bare)];
  const layouts = (Object.keys(frame.layouts) as Layout[]).map((layout) => {
    const parent = route({
      getParentRoute: () => root,
      id: layout,
      component: frame.layouts[layout],
    });
    const leaves = entries
      .filter((entry) => entry.layout === layout)
      .map((entry) => leaf(entry, loadScreen, parent, frame, waitOf(entry, entries, frame), trail));
    if (layout === "plain") leaves.push(catchAll(parent, frame));
    return parent.addChildren(leaves);
  });
  const router = createRouter({
    routeTree: root.addChildren(layouts),
    // The library takes `/login` and `/login/` for one address: leading from one to the other would never end.
    rewrite: { input: ({ url }) => Object.assign(url, { pathname: plainPath(url.pathname) }) },
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: frame.failed,
    // A start has nothing better to show.
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    ...(history && { history }),
  });
  router.subscribe("onBeforeNavigate", ({ pathChanged }) => {
    // A message may have been set just before the redirect, which is no navigation of its own.
    if (!pathChanged || trail.redirects > 0) return;
    clearMessage();
    clearErrorNotices();
  });
  router.subscribe("onResolved", ({ fromLocation, toLocation, pathChanged }) => {
    router.options.defaultPendingMs = pendingMs;
    trail.settled = toLocation.pathname;
    trail.redirects = 0;
    setPageTitle(titleOf(entries, router.state.matches.at(-1)?.fullPath));
    if (pathChanged) toTop();
    const moved = pathChanged && fromLocation !== undefined;
    if (moved || toLocation.hash) focusMain(moved);
    if (pathChanged) deliverMessage();
  });
  return router;
}

/** Every navigation ends at the top-left (spec §2). */
const toTop = () => globalThis.scrollTo?.({ left: 0, top: 0, behavior: "instant" });

/** The keyboard stands at the heading of the screen that one has moved to, or at what the address names there. */
function focusMain(moved: boolean): void {
  const main = document.getElementById("contenu");
  if (!main) return;
  import("#web/app/shared/arrival.ts").then(
    ({ focusArrival }) => focusArrival(main, moved),
    () => {},
  );
}

/** `/faq/:id` as the router writes it: `/faq/$id`. */
export const pattern = (path: string): string => path.replaceAll(/:(\w+)/g, "$$$1");

/** The specification's catch-all: without it a long unknown path would fall into a shorter one. */
const catchAll = (parent: AnyRoute, frame: Frame): AnyRoute =>
  route({ getParentRoute: () => parent, path: "$", component: frame.notFound });

const bare = (path: Entry["path"]): Entry => ({
  path,
  name: null,
  layout: "plain",
  guard: { kind: "open" },
  planned: true,
});

/** The heading of a screen stands in view before its code and its answers do, and the tab bears its title. */
function waitOf(entry: Entry, entries: readonly Entry[], { waits, pending }: Frame): Part {
  const screen = entries.find(({ path }) => path === entry.redirect) ?? entry;
  const title = isBuilt(screen) ? screen.title : notFoundTitle;
  const wait = waits?.[screen.path] ?? pending;
  return function Waiting() {
    useLayoutEffect(() => {
      setPageTitle(title);
      toTop();
    }, []);
    return wait({ ...screen, layout: entry.layout, title });
  };
}

function leaf(
  entry: Entry,
  loadScreen: LoadScreen,
  parent: AnyRoute,
  frame: Frame,
  pendingComponent: Part,
  trail: Trail,
): AnyRoute {
  return route({
    getParentRoute: () => parent,
    path: pattern(entry.path),
    beforeLoad: async (arrival: Arrival) => {
      const { cause, location } = arrival;
      if (cause === "preload") return;
      if (cause === "stay" && trail.settled === location.pathname) return;
      try {
        await enter(entry, arrival, frame);
      } catch (problem) {
        if (isRedirect(problem) && ++trail.redirects > maxRedirects)
          throw new Error(`${location.pathname}: redirected again and again`, { cause: problem });
        throw problem;
      }
    },
    component:
      isBuilt(entry) && !entry.redirect
        ? lazyRouteComponent(async () => ({ Screen: await loadScreen(entry.path) }), "Screen")
        : frame.notFound,
    pendingComponent,
  });
}

/** All checks before a screen is drawn; throws the redirect to where the person must go instead. */
async function enter(entry: Entry, arrival: Arrival, frame: Frame): Promise<void> {
  await admit(entry, arrival);
  if (!entry.offline || connectivity.get()) await frame.prepare(entry.layout);
  // Preparing may have found that the session is over, or that a reset is due.
  if (entry.guard.kind === "person") await guard(entry, arrival.location, true);
  const to = await frame.gate?.(entry.path);
  if (to) throw redirect({ to, replace: true });
}

/** Lets the person enter, or throws the redirect to where they must go. */
async function admit(entry: Entry, { location, params }: Arrival): Promise<void> {
  // Offline comes first: the offline page covers the view, and nothing is decided behind it.
  if (!entry.offline) await online();
  if (entry.guard.kind !== "open") await guard(entry, location);
  if (entry.redirect) {
    const search = readSearch(location.searchStr);
    throw redirect({ to: entry.redirect, search, hash: location.hash, replace: true });
  }
  const canonical = fill(entry.path, params);
  if (decoded(canonical) !== decoded(location.pathname)) {
    const search = readSearch(location.searchStr);
    throw redirect({ to: canonical, search, hash: location.hash, replace: true });
  }
}

/** A path as a person reads it: the router decodes some of what `fill` encodes. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `wasIn` tells that the session was whole a moment ago: without one now, it has just ended. */
async function guard(entry: Entry, location: Arrival["location"], wasIn = false): Promise<void> {
  const token = stateOfToken(readToken());
  const user = token === "valid" ? ((await storedUser()) ?? (await recoverUser())) : null;
  const verdict = decide(entry.guard, { token, user });
  // Somebody is in, without the cookie: not a first visit.
  const missing = token === "missing" && currentUser.get() !== null;
  // The redirect below leads to the login by itself; the other tabs are told.
  if (verdict.end) closeSession();
  if (token === "missing") forget();
  if (verdict.to === null) return;
  const here = location.pathname + location.searchStr + (location.hash && `#${location.hash}`);
  const ended = verdict.end || (wasIn && token === "missing");
  const back = verdict.comeBack && here !== "/" && here !== paths.dashboard;
  throw redirect({
    to: verdict.to,
    search: {
      ...(back && { [returnParameter]: here }),
      ...(missing && { [endParameter]: ends.missing }),
      ...(ended && !missing && { [endParameter]: ends.ended }),
    },
    replace: true,
  });
}

function titleOf(entries: readonly Entry[], fullPath: string | undefined): string | undefined {
  const found = entries.find(({ path }) => pattern(path) === fullPath);
  return found && isBuilt(found) ? found.title : notFoundTitle;
}
