// Lists paged by key: the form of every page, and how it is known that there is a next one.

/**
 * The page that `rows` make, of which one more than `limit` was read: `next` is the key of the last row that
 * the page holds, from which the next page goes on, and null where that further row was not there.
 */
export function pageOf<Row, Key>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
): { items: Row[]; next: Key | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? keyOf(last) : null };
}
