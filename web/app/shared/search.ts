// Search parameters of the current address: tab, filters, page. Changing them is no navigation: no
// scroll, no clearing, no guard (spec.md 5), and no new entry in the history.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/** The parameters, and what changes some of them; undefined takes one out of the address. */
export function useSearchParameters() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Record<string, string | undefined>) =>
      void navigate({
        to: ".",
        search: (before: Record<string, unknown>) => ({ ...before, ...changes }),
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
