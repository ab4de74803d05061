import { useSyncExternalStore } from "react";

const useMatches = (condition: string): boolean =>
  useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(condition);
      query.addEventListener("change", onChange);
      return () => query.removeEventListener("change", onChange);
    },
    () => matchMedia(condition).matches,
  );

/** Whether the window has room for a second pane. */
export const useIsTablet = (): boolean => useMatches("(width >= 48em)");

/** Whether it has room for a panel beside a table. */
export const useIsDesk = (): boolean => useMatches("(width >= 64em)");
