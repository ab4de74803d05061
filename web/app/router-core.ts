// From an address to the screen that stands at it: one is admitted first, sees the old screen until the
// new one is there, and that it is coming where this takes long. The latest navigation wins.
import type { ComponentType } from "react";
import { writeSearch } from "./addresses.ts";
import type { History, Location } from "./history.ts";
import type { Values } from "./matching.ts";
import { observed, type Observed } from "./observed.ts";
import type { Entry } from "./route-entry.ts";

type Search = Readonly<Record<string, string | undefined>>;

export interface Destination {
  /** A path, or `.` for the present one. */
  to: string;
  /** All parameters of the new address, or what makes them of the present ones. */
  search?: Search | ((present: Search) => Search);
  hash?: string;
  /** Takes the place of the present entry of the history. */
  replace?: boolean;
  /** The page stays where it was scrolled to. */
  keepScroll?: boolean;
}

/** Thrown by what admits: one goes there instead. */
export class Redirect extends Error {
  readonly destination: Destination;

  constructor(destination: Destination) {
    super(destination.to);
    this.destination = destination;
  }
}

/** What stands at an address. */
export interface Place {
  entry: Entry;
  params: Values;
}

/** What is shown: `screen` is null while it is coming, and where it could not be loaded. */
export interface Shown extends Place {
  location: Location;
  screen: ComponentType | null;
  failure: { error: unknown } | null;
  keepScroll: boolean;
}

export interface Sites {
  find: (pathname: string) => Place;
  screenOf: (entry: Entry) => Promise<ComponentType>;
  /** Ends once one may enter; throws a Redirect otherwise. */
  admit: (place: Place, location: Location) => Promise<void>;
  /** A navigation to another path begins. */
  onLeave: () => void;
}

export interface Router {
  /** Null until the first screen, or that it is coming, can be shown. */
  shown: Pick<Observed<Shown | null>, "get" | "subscribe">;
  location: () => Location;
  /** Shows what stands at the present address; ends when it is shown. */
  load: () => Promise<void>;
  navigate: (destination: Destination) => Promise<void>;
  /** To an address as it stands, with what is to be kept in its entry of the history. */
  go: (href: string, state?: object, replace?: boolean) => Promise<void>;
  back: () => void;
  /** Loads the screen of a path that one may be about to open. */
  prepare: (pathname: string) => void;
}

/** A screen that takes longer is told to be coming. */
const patienceMs = 300;

export function routerOf(history: History, sites: Sites): Router {
  const shown = observed<Shown | null>(null);
  let latest = 0;
  /** The path whose screen was shown last: the same again is no navigation (spec.md 5). */
  let settled: string | undefined;

  const show = (next: Shown) => {
    const { location } = next;
    const before = shown.get()?.location;
    // The same parameters are the same value, whatever else changes in the address.
    if (before?.searchStr === location.searchStr) location.search = before.search;
    if (next.screen) settled = location.pathname;
    shown.set(next);
  };

  async function load(keepScroll = false): Promise<void> {
    const location = history.read();
    latest += 1;
    const turn = latest;
    const isLatest = () => turn === latest;
    const present = shown.get();
    if (present?.screen && location.pathname === settled) {
      show({ ...present, location, keepScroll });
      return;
    }
    const place = sites.find(location.pathname);
    const next = { ...place, location, keepScroll, screen: null, failure: null };
    if (location.pathname !== settled) sites.onLeave();
    const patience = setTimeout(() => isLatest() && show(next), patienceMs);
    try {
      await sites.admit(place, location);
      const screen = await sites.screenOf(place.entry);
      if (isLatest()) show({ ...next, screen });
    } catch (error) {
      clearTimeout(patience);
      if (!isLatest()) return;
      if (error instanceof Redirect) await navigate(error.destination);
      else show({ ...next, failure: { error } });
    } finally {
      clearTimeout(patience);
    }
  }

  const navigate: Router["navigate"] = ({ to, search = {}, hash, replace, keepScroll }) => {
    const here = history.read();
    const values = typeof search === "function" ? search(here.search) : search;
    const path = to === "." ? here.pathname : to;
    const href = path + writeSearch(values) + (hash ? `#${hash}` : "");
    if (href !== here.href || Object.keys(here.state).length > 0) {
      history.write(href, {}, replace ?? false);
    }
    return load(keepScroll);
  };

  history.listen(() => void load());
  return {
    shown,
    location: history.read,
    load,
    navigate,
    go: (href, state = {}, replace = false) => {
      history.write(href, state, replace);
      return load();
    },
    back: history.back,
    prepare: (pathname) => void sites.screenOf(sites.find(pathname).entry).catch(() => {}),
  };
}
