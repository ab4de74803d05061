// The browser's address and its history, as what stands between them and the screens sees them.
import { readSearch } from "./addresses.ts";

export interface Location {
  pathname: string;
  /** With its question mark, empty without parameters. */
  searchStr: string;
  search: Readonly<Record<string, string>>;
  /** Without its sign. */
  hash: string;
  /** All of it but the origin. */
  href: string;
  /** What a screen keeps in this entry of the history. */
  state: Readonly<Record<string, unknown>>;
}

export interface History {
  read: () => Location;
  /** A new entry, or the present one under another address. */
  write: (href: string, state: object, replace: boolean) => void;
  back: () => void;
  /** Calls back when the browser itself moved: Back, Forward, a fragment. */
  listen: (moved: () => void) => void;
}

/** An address on this very site in its parts. */
export const locationOf = (
  { pathname, search, hash }: Pick<URL, "pathname" | "search" | "hash">,
  state: unknown,
): Location => ({
  pathname,
  searchStr: search,
  search: readSearch(search),
  hash: hash.slice(1),
  href: pathname + search + hash,
  state: { ...(state as object | null) },
});

export const browserHistory: History = {
  read: () => locationOf(location, history.state),
  write: (href, state, replace) => history[replace ? "replaceState" : "pushState"](state, "", href),
  back: () => history.back(),
  listen: (moved) => addEventListener("popstate", moved),
};
