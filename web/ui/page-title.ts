// The title of the tab: the outcome, the step or the thing that a screen shows, then the page, then the
// product. A page without a title of its own is called by the product's name alone (spec §2).
import { useEffect } from "react";
import { spec } from "#contract/limits.ts";

/** The title of every page that is not found, whichever address led there. */
export const notFoundTitle = "Page introuvable";

let page: string | undefined;
let parts: readonly string[] = [];

function write(): void {
  const titles = page ? [...parts, page] : [];
  const isNotFound = titles.includes(notFoundTitle);
  document.title = [...new Set([...(isNotFound ? [notFoundTitle] : titles), spec.title])].join(
    " · ",
  );
}

/** A navigation arrived at a page of this title. */
export function setPageTitle(title: string | undefined): void {
  page = title;
  write();
}

/**
 * Says what is shown now, before the title of the page, for as long as the component is there. What is
 * not found stands alone: its address leads to nothing.
 */
export function useTitlePart(text: string | undefined): void {
  useEffect(() => {
    if (!text) return undefined;
    parts = [text, ...parts];
    write();
    return () => {
      parts = parts.toSpliced(parts.indexOf(text), 1);
      write();
    };
  }, [text]);
}
