// Keeps what can be presented without network up to date with the lists that screens show.
import { useEffect } from "react";

/**
 * Call it with a list of tickets, passes or meals: each time it is read anew, all titles are stored again.
 */
export function useTitleRefresh(items: unknown): void {
  useEffect(() => {
    if (items)
      import("./stored-titles.ts").then((store) => store.refreshStoredTitles()).catch(() => {});
  }, [items]);
}
