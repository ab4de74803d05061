import { useSyncExternalStore } from "react";

const tablet = "(width >= 48em)";

/** Whether the window has room for a second pane. */
export const useIsTablet = (): boolean =>
  useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(tablet);
      query.addEventListener("change", onChange);
      return () => query.removeEventListener("change", onChange);
    },
    () => matchMedia(tablet).matches,
  );
