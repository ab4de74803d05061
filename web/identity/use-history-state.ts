// The state of a stepper in the entry of the browser's history: it survives a reload and a phone that puts
// the tab away, going back goes back one step, and closing the tab forgets it.
import { useLocation, useMatch, useRouter } from "@tanstack/react-router";
import { useCallback, useState } from "react";

/** The value stored under `name`, and the function that stores another one; `replace` leaves no way back. */
export function useHistoryState<T>(name: string) {
  const router = useRouter();
  const { href, state } = useOwnLocation();
  const current = (state as unknown as Record<string, T | undefined>)[name];
  const store = useCallback(
    (value: T, way: "push" | "replace" = "push") => router.history[way](href, { [name]: value }),
    [router, href, name],
  );
  const back = useCallback(() => router.history.back(), [router]);
  return [current, store, back] as const;
}

/** The address of the page that asks: while another one is loaded, the router already tells the other's. */
function useOwnLocation() {
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  const current = useLocation();
  const [own, setOwn] = useState(current);
  if (current.pathname !== path) return own;
  if (current !== own) setOwn(current);
  return current;
}
