// The portal starts here: the router over its one table, the session's watchers, the service worker.
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { type ComponentType, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { paths } from "#contract/paths.ts";
import { loadFont } from "#web/ui/font.ts";
import { notify } from "#web/ui/toast.tsx";
import { queryClient } from "#web/app/transport/answers.ts";
import {
  EntryLayout,
  PlainLayout,
  prepareLayout,
  PublicLayout,
  ShellLayout,
} from "#web/app/shell/frame.tsx";
import { endParameter, ends, returnParameter } from "#web/app/shared/addresses.ts";
import { connectivity } from "#web/app/transport/connectivity.ts";
import { watchSession } from "#web/app/transport/renewal.ts";
import { Root } from "#web/app/shell/root.tsx";
import type { Entry } from "#web/app/shared/route-entry.ts";
import { buildRouter } from "#web/app/shell/router.tsx";
import {
  currentUser,
  onSessionEnd,
  onSessionReplaced,
  watchTabs,
} from "#web/app/transport/session.ts";
import { Broken, Coming, HealthWait, NotFound } from "#web/app/shared/states.tsx";
import { registerWorker, watchMissingChunks } from "#web/app/shared/worker.ts";
import { readFirst } from "./dashboard/read-first.ts";
import { DashboardSkeleton } from "./dashboard/dashboard-skeleton.tsx";
import { Bell } from "./notifications/bell.tsx";
import { type ScreenPath, table } from "./paths.ts";

// Where one lands is known here; the table of all other screens comes with the first of them.
const loadRoutes = () => import("./routes.ts");
const home = paths.dashboard;
const fontTimeoutMs = 1000;

async function loadScreen(path: Entry["path"]): Promise<ComponentType> {
  if (path === home) return (await import("./dashboard/dashboard-page.tsx")).DashboardPage;
  const { screens } = await loadRoutes();
  return screens[path as ScreenPath]();
}

async function gate(path: Entry["path"]): Promise<string | null> {
  if (path === home) return null;
  // A table that does not come fails the screen too: for a screen the router then reloads the document.
  const routes = await loadRoutes().catch(() => null);
  return (await routes?.gates[path as ScreenPath]?.()) ?? null;
}

// The guard and the layout's own questions come first: meanwhile the rest arrives.
if (location.pathname === home) void readFirst();
else loadRoutes().catch(() => {});

const router = buildRouter(table, loadScreen, {
  root: Root,
  layouts: {
    shell: () => <ShellLayout tools={<Bell />} />,
    entry: EntryLayout,
    public: PublicLayout,
    plain: PlainLayout,
  },
  notFound: NotFound,
  pending: Coming,
  waits: { [home]: () => <DashboardSkeleton />, [paths.health]: HealthWait },
  failed: Broken,
  prepare: prepareLayout,
  gate,
});

/** With the first element that has the focus; where the network is lost first, with a later one. */
function startKeepingFocus({ target }: FocusEvent): void {
  if (!connectivity.get()) return;
  removeEventListener("focusin", startKeepingFocus);
  import("#web/app/shared/arrival.ts").then(
    ({ keepFocus }) => keepFocus(target),
    () => {},
  );
}

// Back, Forward and a reload go to the top-left like every navigation (spec §2).
history.scrollRestoration = "manual";
watchTabs();
watchMissingChunks();
addEventListener("focusin", startKeepingFocus);
void registerWorker();

const here = () => location.pathname + location.search + location.hash;

// Leaving for the login's own document forgets everything that this page holds in memory.
onSessionEnd((why) => {
  queryClient.clear();
  const search = new URLSearchParams({
    ...(why !== "logout" && { [returnParameter]: here() }),
    [endParameter]: ends[why],
  });
  location.replace(`${paths.login}?${search}`);
});
onSessionReplaced(() => location.replace(paths.dashboard));

/** What other screens need, and what is shown without network, waits until the first screen has settled. */
const settledAfterMs = 3000;

let stop: (() => void) | undefined;
let watched: string | undefined;

/** Live events and the session's clock run exactly while somebody is in. */
function followUser(): void {
  const user = currentUser.get();
  const whole = user && !user.isReset ? user.objectID : undefined;
  if (user?.isReset && location.pathname !== paths.resetPassword) {
    const isHome = location.pathname === "/" || location.pathname === home;
    const search = isHome ? {} : { [returnParameter]: here() };
    void router.navigate({ to: paths.resetPassword, search, replace: true });
  }
  if (whole === watched) return;
  stop?.();
  watched = whole;
  stop = whole === undefined ? undefined : watch();
}

function watch(): () => void {
  const leaving = new AbortController();
  const unwatch = watchSession();
  const settled = setTimeout(prepareMore, settledAfterMs);
  // Where its code cannot be had any more, a newer version is offered (watchMissingChunks).
  follow(leaving.signal).catch(() => {});
  return () => {
    leaving.abort();
    clearTimeout(settled);
    unwatch();
  };
}

function prepareMore(): void {
  loadRoutes().catch(() => {});
  import("#web/app/shared/stored-titles.ts")
    .then((store) => store.refreshStoredTitles())
    .catch(() => {});
}

/** The first screen needs no news: what reads them comes beside what it asks for. */
async function follow(signal: AbortSignal): Promise<void> {
  const { followLive } = await import("#web/app/transport/live.ts");
  await followLive(signal, (data) => {
    const title = (data as { title?: unknown } | null)?.title;
    if (typeof title === "string") notify({ text: title });
  });
}

currentUser.subscribe(followUser);
// Who is in may be known already (web/first.ts).
followUser();

// A font that comes later would move what is there; one that is slow keeps nobody waiting.
const slow = new Promise<void>((resolve) => setTimeout(resolve, fontTimeoutMs));
void Promise.race([loadFont(), slow]).then(draw);

function draw(): void {
  const place = document.getElementById("root");
  if (!place) return;
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
