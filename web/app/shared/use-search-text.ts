// The text of a search: shown as it is typed, asked after a pause.
import { useEffect, useState } from "react";

const pauseMs = 250;

/**
 * What is typed, and what sets it. `asked` is what the address or the list says, "" for nothing: what
 * it says from elsewhere later, as when filters are cleared, is followed. `onAsked` is given the words,
 * undefined when there are none.
 */
export function useSearchText(query: string, onSearch: (typed: string | undefined) => void) {
  const [typed, setTyped] = useState(query);
  const [followed, setFollowed] = useState(query);
  const [sent, setSent] = useState(query);
  const words = typed.trim();
  if (followed !== query) {
    setFollowed(query);
    // One's own words come back late: what was typed since stays.
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
