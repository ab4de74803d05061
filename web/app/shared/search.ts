// Search parameters of the current address: tab, filters, page. Changing them is no navigation: no
// scroll, no clearing, no guard (spec.md 5), and no new entry in the history.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { wireSearch } from "#contract/link-to.ts";
import { searchNames } from "#contract/paths.ts";
import type { PathName, SearchIn, SearchOf } from "#contract/searches.ts";

/** Search parameters of an address that the table contains, by their English names. */
export const searchIn = <Of extends PathName>(
  onWire: Readonly<Record<string, string>>,
): SearchIn<Of> =>
  Object.fromEntries(
    Object.entries(searchNames).flatMap(([name, wire]) =>
      onWire[wire] === undefined ? [] : [[name, onWire[wire]]],
    ),
  ) as SearchIn<Of>;

/**
 * The search parameters of a screen of the table, e.g. `useSearchParameters<"till">()`, and a function that changes
 * some of them; undefined removes one. Parameters that the table does not contain stay.
 */
export function useSearchParameters<Of extends PathName>() {
  const onWire: Readonly<Record<string, string>> = useSearch({ strict: false });
  const search: SearchIn<Of> = useMemo(() => searchIn<Of>(onWire), [onWire]);
  const navigate = useNavigate();
  const change = useCallback(
    (changes: SearchOf<Of>) =>
      void navigate({
        to: ".",
        search: (before: Record<string, unknown>) => ({ ...before, ...wireSearch<Of>(changes) }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, change] as const;
}

/** A whole number of the address, of so many digits at most; null when it holds none. */
export const numberIn = (text: string | undefined, digits = 9): number | null =>
  text !== undefined && text.length <= digits && /^[1-9]\d*$/.test(text) ? Number(text) : null;
