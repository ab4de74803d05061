// The text of a search: shown as it is typed, asked after a pause.
import { useEffect, useState } from "react";

const pauseMs = 250;

/**
 * What is typed, and what sets it. `asked` is what the address or the list says, "" for nothing: what
 * it says from elsewhere later, as when filters are cleared, is followed. `onAsked` is given the words,
 * undefined when there are none.
 */
export function useTyped(asked: string, onAsked: (typed: string | undefined) => void) {
  const [typed, setTyped] = useState(asked);
  const [followed, setFollowed] = useState(asked);
  const [sent, setSent] = useState(asked);
  const words = typed.trim();
  if (followed !== asked) {
    setFollowed(asked);
    // One's own words come back late: what was typed since stays.
    if (asked !== sent && asked !== words) setTyped(asked);
  }
  useEffect(() => {
    if (words === asked) return;
    const timer = setTimeout(() => {
      setSent(words);
      onAsked(words || undefined);
    }, pauseMs);
    return () => clearTimeout(timer);
  });
  return [typed, setTyped] as const;
}
