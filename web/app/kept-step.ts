// What a stepper keeps in the entry of the browser's history: it survives a reload and a phone that
// puts the tab away, going back goes back one step, and closing the tab forgets it.
import { useLocation, useRouter } from "./navigation.tsx";
import { useCallback } from "react";

/** The value kept under `name`, and what goes on with another one; `replace` closes the way back. */
export function useKeptStep<T>(name: string) {
  const router = useRouter();
  const { href, state } = useLocation();
  const kept = state[name] as T | undefined;
  const keep = useCallback(
    (value: T, way: "push" | "replace" = "push") =>
      void router.go(href, { [name]: value }, way === "replace"),
    [router, href, name],
  );
  const back = useCallback(() => router.back(), [router]);
  return [kept, keep, back] as const;
}
