// Pages of a list that is read by key and whose length is known. Without a length: SeeMore (query-list.tsx).
import "./button.css";
import { formatCount } from "#contract/french.ts";
import { IconButton } from "./button.tsx";
import "./pagination.css";

/** Where the shown lines stand: `first` and `last` count from 1. */
export interface PageRange {
  first: number;
  last: number;
  total: number;
}

/** `onTurn` asks for the page before or after; the caller reads it and shows it. */
export function Pagination({
  label,
  range: { first, last, total },
  onTurn,
}: {
  /** What is paged, e.g. « Pages des commandes ». */
  label: string;
  range: PageRange;
  onTurn: (to: "previous" | "next") => void;
}) {
  // At either end the button keeps the focus that it has, and does nothing.
  const turn = (icon: "left" | "right", words: string, to: "previous" | "next", isEnd: boolean) => (
    <IconButton
      icon={icon}
      label={words}
      aria-disabled={isEnd || undefined}
      onClick={() => !isEnd && onTurn(to)}
    />
  );
  return (
    <nav className="pagination" aria-label={label}>
      {turn("left", "Page précédente", "previous", first <= 1)}
      <p className="pagination-where" aria-live="polite">
        {first === last ? formatCount(first) : `${formatCount(first)} à ${formatCount(last)}`} sur{" "}
        {formatCount(total)}
      </p>
      {turn("right", "Page suivante", "next", last >= total)}
    </nav>
  );
}
