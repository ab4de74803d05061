// Jobs that process each row of a table, however many there are.

/** How many rows a job reads together. */
const rowsAtOnce = 1000;

/**
 * Runs `work` on every row that `read` returns, one after the other. Rows are read in pages by key: `read`
 * returns up to `limit` of those whose `id` is greater than `after` (null for the first page), in the order
 * of their ids. So a row that stays due after its work neither comes again nor blocks later ones.
 */
export async function eachRow<Key extends string | number, Row extends { id: Key }>(
  read: (after: Key | null, limit: number) => Promise<readonly Row[]>,
  work: (row: Row) => Promise<void>,
  { atOnce = rowsAtOnce } = {},
): Promise<void> {
  for (let after: Key | null = null, page: readonly Row[]; ;) {
    page = await read(after, atOnce);
    for (const row of page) await work(row);
    after = page.at(-1)?.id ?? after;
    if (page.length < atOnce) return;
  }
}
