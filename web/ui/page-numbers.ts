// Which page numbers are shown.

interface Shown {
  /** The page, or the first of those that a gap leaves out. */
  number: number;
  isGap: boolean;
}

/**
 * The first page, the last, the current one and its neighbours, with a gap for two pages or more between
 * them: never more than seven places, and always seven once there are more pages than that, so that
 * nothing moves under the pointer.
 */
export function pageNumbers(page: number, pages: number): Shown[] {
  const all = Array.from({ length: pages }, (_, index) => index + 1);
  if (pages <= 7) return all.map((number) => ({ number, isGap: false }));
  const from = Math.min(Math.max(page - 1, 3), pages - 4);
  const middle = all.slice(from - 1, from + 2);
  const isNearStart = page <= 4;
  const isNearEnd = page >= pages - 3;
  return [
    { number: 1, isGap: false },
    { number: 2, isGap: !isNearStart },
    ...middle.map((number) => ({ number, isGap: false })),
    { number: pages - 1, isGap: !isNearEnd },
    { number: pages, isGap: false },
  ];
}
