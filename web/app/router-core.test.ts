import { describe, expect, it } from "vitest";
import { type History, locationOf } from "./history.ts";
import type { Entry } from "./route-entry.ts";
import { Redirect, routerOf, type Sites } from "./router-core.ts";

const entryAt = (path: Entry["path"]): Entry => ({
  path,
  name: null,
  layout: "plain",
  guard: { kind: "open" },
});
const screen = () => null;

/** A router at `/`, with its address bar and what it asked for. */
function stage(sites: Partial<Sites> = {}) {
  const origin = "http://localhost";
  const entries = new Map<string, Entry>();
  let at = new URL(origin);
  let kept: unknown = null;
  let moved = () => {};
  const left: string[] = [];
  const history: History = {
    read: () => locationOf(at, kept),
    write: (href, state) => {
      at = new URL(href, at);
      kept = state;
    },
    back: () => {},
    listen: (listener) => (moved = listener),
  };
  const router = routerOf(history, {
    find: (pathname) => {
      const entry = entries.get(pathname) ?? entryAt(pathname as Entry["path"]);
      entries.set(pathname, entry);
      return { entry, params: {} };
    },
    screenOf: () => Promise.resolve(screen),
    admit: () => Promise.resolve(),
    onLeave: () => left.push(at.pathname),
    ...sites,
  });
  const shownPath = () => router.shown.get()?.location.href;
  const move = (href: string) => {
    at = new URL(href, origin);
    moved();
  };
  return { router, shownPath, move, left };
}

describe("a navigation", () => {
  it("shows the old screen until one is admitted and the new one is loaded", async () => {
    const admitted = Promise.withResolvers<void>();
    const { router, shownPath } = stage({
      admit: ({ entry }) => (entry.path === "/b" ? admitted.promise : Promise.resolve()),
    });
    await router.load();
    const going = router.navigate({ to: "/b" });
    expect(shownPath()).toBe("/");
    expect(router.location().pathname).toBe("/b");
    admitted.resolve();
    await going;
    expect(shownPath()).toBe("/b");
  });

  it("gives way to a later one, whichever screen comes first", async () => {
    const slow = Promise.withResolvers<typeof screen>();
    const { router, shownPath } = stage({
      screenOf: ({ path }) => (path === "/slow" ? slow.promise : Promise.resolve(screen)),
    });
    await router.load();
    const first = router.navigate({ to: "/slow" });
    await router.navigate({ to: "/fast" });
    slow.resolve(screen);
    await first;
    expect(shownPath()).toBe("/fast");
  });

  it("goes where one is sent instead", async () => {
    const { router, shownPath } = stage({
      admit: ({ entry }) =>
        entry.path === "/closed"
          ? Promise.reject(new Redirect({ to: "/open", search: { retour: "/closed" } }))
          : Promise.resolve(),
    });
    await router.navigate({ to: "/closed" });
    expect(shownPath()).toBe("/open?retour=%2Fclosed");
  });

  it("within a path changes what is shown at once, and admits and leaves nothing anew", async () => {
    let admissions = 0;
    const { router, shownPath, left } = stage({
      admit: () => {
        admissions += 1;
        return Promise.resolve();
      },
    });
    await router.navigate({ to: "/list", search: { page: "2" } });
    const before = router.shown.get();
    void router.navigate({ to: ".", search: (present) => ({ ...present, filtre: "bus" }) });
    expect(shownPath()).toBe("/list?page=2&filtre=bus");
    expect(router.shown.get()?.params).toBe(before?.params);
    expect([admissions, left]).toEqual([1, ["/list"]]);
  });

  it("keeps what a screen puts in the entry, and the parameters as one value", async () => {
    const { router } = stage();
    await router.navigate({ to: "/steps", search: { carte: "7" } });
    const before = router.shown.get()?.location;
    await router.go("/steps?carte=7", { step: 2 });
    const after = router.shown.get()?.location;
    expect(after?.state).toEqual({ step: 2 });
    expect(after?.search).toBe(before?.search);
  });

  it("follows the browser's own Back and Forward", async () => {
    const { router, move, shownPath } = stage();
    await router.navigate({ to: "/b" });
    move("/a");
    await expect.poll(shownPath).toBe("/a");
  });
});

it("a screen that cannot be loaded is told, and asked for again by the next load", async () => {
  let gone = true;
  const { router } = stage({
    screenOf: () => (gone ? Promise.reject(new Error("no chunk")) : Promise.resolve(screen)),
  });
  await router.navigate({ to: "/b" });
  expect(router.shown.get()).toMatchObject({
    screen: null,
    failure: { error: new Error("no chunk") },
  });
  gone = false;
  await router.load();
  expect(router.shown.get()).toMatchObject({ screen, failure: null });
});
