// Pages of a list whose length is known, by number. A list read by key has SeeMore (table.tsx).
import "./button.css";
import { IconButton } from "./button.tsx";
import { pageNumbers } from "./page-numbers.ts";
import "./pagination.css";

/** `page` counts from 1. `onPage` asks for another; the caller reads it and shows it. */
export function Pagination({
  label,
  page,
  pages,
  onPage,
}: {
  /** What is paged, e.g. « Pages des commandes ». */
  label: string;
  page: number;
  pages: number;
  onPage: (page: number) => void;
}) {
  // At either end the button keeps the focus that it has, and does nothing.
  const turn = (icon: "left" | "right", words: string, to: number) => (
    <IconButton
      icon={icon}
      label={words}
      aria-disabled={to < 1 || to > pages || undefined}
      onClick={() => to >= 1 && to <= pages && onPage(to)}
    />
  );
  return (
    <nav className="pagination" aria-label={label}>
      <p className="pagination-where" aria-live="polite">
        Page {page} sur {pages}
      </p>
      {turn("left", "Page précédente", page - 1)}
      <ol className="pagination-pages">
        {pageNumbers(page, pages).map(({ number, isGap }) => (
          <li key={number}>
            {isGap ? (
              <span aria-hidden="true">…</span>
            ) : (
              <button
                type="button"
                className="pagination-page"
                aria-current={number === page ? "page" : undefined}
                onClick={() => onPage(number)}
              >
                <span className="unseen">Page </span>
                {number}
              </button>
            )}
          </li>
        ))}
      </ol>
      {turn("right", "Page suivante", page + 1)}
    </nav>
  );
}
