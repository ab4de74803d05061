// The text of a search field: shown as it is typed, searched after a pause.
import { useEffect, useState } from "react";

const pauseMs = 250;

/**
 * The text of the field, and its setter. `query` is the text of the address or of the list, "" for none: when
 * it changes from elsewhere, as when filters are cleared, the field follows. `onSearch` is called with the
 * words, undefined when there are none.
 */
export function useSearchText(query: string, onSearch: (typed: string | undefined) => void) {
  const [typed, setTyped] = useState(query);
  const [followed, setFollowed] = useState(query);
  const [sent, setSent] = useState(query);
  const words = typed.trim();
  if (followed !== query) {
    setFollowed(query);
    // The field's own words come back late: what was typed since stays.
    if (query !== sent && query !== words) setTyped(query);
  }
  useEffect(() => {
    if (words === query) return;
    const timer = setTimeout(() => {
      setSent(words);
      onSearch(words || undefined);
    }, pauseMs);
    return () => clearTimeout(timer);
  });
  return [typed, setTyped] as const;
}
