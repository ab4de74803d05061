// The cost of a long journal: a page of movements and a transfer, measured at a tenth of the rows and at all
// of them.
import type { Pool } from "pg";
import { openDb } from "#server/db/db.ts";
import { movementsOf } from "#server/ledger/ledger.ts";
import { barePosts } from "./loads.ts";
import type { Fixture } from "./fixture.ts";

export interface Grown {
  rows: number;
  /** Pages of twenty per second: of the busiest account, its first page and one in its middle. */
  firstPages: number;
  deepPages: number;
  posts: number;
  bytesPerRow: number;
}

/**
 * Fills the journal up to `rows` and measures. Rows go in by one plain insert, without moving balances: the
 * measurement is of indexes and reads.
 */
export async function grown(
  pool: Pool,
  fixture: Fixture,
  { rows, url, seconds }: { rows: number; url: string; seconds: number },
): Promise<Grown> {
  const { rows: there } = await pool.query<{ n: string }>("select count(*) as n from transfer");
  await pool.query(
    `insert into transfer (debit_account, credit_account, amount, debit_balance, credit_balance, debit_version,
       credit_version, at, part, kind, key, memo)
     select a[1 + n % cardinality(a)], case when n % 10 = 0 then $2::bigint
       else a[1 + (n + 1 + n / 1000) % cardinality(a)] end,
       1, 1, 1, n, n, now(), 1, 'transfer', 'grown:' || $4 || ':' || n, '{"from": "A", "to": "B"}'
     from (select $1::bigint[] as a) accounts, generate_series(1, $3::int) n
     where a[1 + n % cardinality(a)] <> a[1 + (n + 1 + n / 1000) % cardinality(a)]`,
    [fixture.accounts, fixture.hotAccount, Math.max(0, rows - Number(there[0]?.n)), String(rows)],
  );
  await pool.query("vacuum analyze transfer");
  const { rows: size } = await pool.query<{ n: string; bytes: string; middle: string }>(
    `select count(*) as n, pg_total_relation_size('transfer') as bytes, max(id) / 2 as middle
     from transfer`,
  );
  const found = size[0]!;
  const database = openDb(url, { max: 1 });
  const pages = async (before?: number) => {
    const times: number[] = [];
    for (let n = 0; n < 300; n++) {
      const started = performance.now();
      await movementsOf(database.db, [fixture.hotAccount], { limit: 20, before });
      times.push(performance.now() - started);
    }
    return 1000 / (times.toSorted((a, b) => a - b)[150] as number);
  };
  const [firstPages, deepPages] = [await pages(), await pages(Number(found.middle))];
  await database.close();
  return {
    rows: Number(found.n),
    firstPages,
    deepPages,
    posts: await barePosts(pool, fixture, { clients: 32, hot: false, seconds }),
    bytesPerRow: Number(found.bytes) / Number(found.n),
  };
}
