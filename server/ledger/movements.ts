// Movements of a set of accounts, newest first: index scans merged by id, with the same cost at the ten
// millionth row as at the first.
import { sql, type RawBuilder } from "kysely";
import { lists } from "#contract/limits.ts";
import { type Db, opaqueParameter } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import type { Memo } from "./transfer.ts";

export interface Movement {
  id: number;
  at: Date;
  kind: string;
  /** The key under which it was posted; parts of one linked group share it. */
  key: string;
  /** Seen from the set of accounts: positive comes in, negative goes out, 0 stays inside. */
  amountCents: number;
  /** Joint balance of the set of accounts after this transfer. */
  balanceAfterCents: number;
  debitAccount: number;
  creditAccount: number;
  memo: Memo | null;
  reverses: number | null;
}

export interface MovementFilter {
  limit: number;
  kinds?: readonly string[] | undefined;
  /** Only transfers with one of these accounts on the other side, a subquery of ids. */
  counterparts?: RawBuilder<unknown> | undefined;
  /** Half-open span of time: from included, to excluded. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** Words searched for in the memo's values, case-insensitive. */
  words?: string | undefined;
}

/**
 * A page of the movements of these accounts together, newest first by id, only ids below `before`, the
 * `next` of the page before. A transfer between two of them appears once, with amount 0; `next` null ends.
 */
export async function movementsOf(
  db: Db,
  accountIds: readonly number[],
  { before = Number.MAX_SAFE_INTEGER, ...filter }: MovementFilter & { before?: number | undefined },
): Promise<{ items: Movement[]; next: number | null }> {
  const statement = movementRows(
    opaqueParameter(accountIds, "bigint[]"),
    opaqueParameter(before, "bigint"),
    filter,
  );
  const { rows } = await sql<Movement>`${statement}`.execute(db);
  return pageOf(rows, filter.limit, ({ id }) => id);
}

/**
 * The rows of such a page and one more, as a query: `ids` are the accounts, an array of PostgreSQL, `before`
 * the id that all are below. Both may be columns of a query that this one is joined to, page by page.
 */
export function movementRows(
  ids: RawBuilder<unknown>,
  before: RawBuilder<unknown>,
  filter: MovementFilter,
): RawBuilder<Movement> {
  // As a literal: with a limit in a parameter, PostgreSQL plans for a tenth of all rows.
  const max = isUsual(filter) ? sql.lit(usualPageRows + 1) : sql`${filter.limit + 1}`;
  const condition = filterCondition(filter);
  // Rows that follow each other without a gap need one balance, the newest: the others follow from it.
  const balanceOfAll = isWhole(filter)
    ? sql`((select ${balanceAt(ids, sql`(select max(id) from page)`)}) -
        coalesce(sum(cents) over (order by id desc
          rows between unbounded preceding and 1 preceding), 0))::bigint`
    : sql`(select ${balanceAt(ids, sql`page.id`)})`;
  // A single account, the case of most wallets, has its balance in the row itself.
  const balanceAfter = sql`case when cardinality(${ids}) > 1 then ${balanceOfAll}
    when debit_account = (${ids})[1] then debit_balance else credit_balance end`;
  return sql<Movement>`
    with found as (
      select * from (
        select t.* from unnest(${ids}) account, lateral (
          select * from transfer where debit_account = account and id < ${before} ${condition}
          order by id desc limit ${max}) t
        union all
        select t.* from unnest(${ids}) account, lateral (
          select * from transfer where credit_account = account and id < ${before}
            and debit_account <> all (${ids}) ${condition}
          order by id desc limit ${max}) t
      ) both_sides order by id desc limit ${max}
    ), page as materialized (
      select *, case when debit_account <> all (${ids}) then amount
        when credit_account = any (${ids}) then 0 else -amount end as cents from found)
    select id, at, kind, key, debit_account,
      credit_account, memo, reverses, cents as amount_cents,
      ${balanceAfter} as balance_after_cents
    from page order by id desc`;
}

function filterCondition({ kinds, counterparts, from, to, words }: MovementFilter) {
  const escaped = words?.replace(/[\\%_]/g, String.raw`\$&`);
  return sql.join(
    [
      kinds ? sql`and kind = any (${kinds}::text[])` : sql``,
      counterparts
        ? sql`and (debit_account in (${counterparts}) or credit_account in (${counterparts}))`
        : sql``,
      from ? sql`and at >= ${from}` : sql``,
      to ? sql`and at < ${to}` : sql``,
      escaped
        ? sql`and exists (select from jsonb_each_text(memo) m where m.value ilike ${`%${escaped}%`})`
        : sql``,
    ],
    sql` `,
  );
}

/** Whether nothing is left out between the newest row and the oldest. */
const isWhole = ({ kinds, counterparts, from, to, words }: MovementFilter): boolean =>
  !kinds && !counterparts && !from && !to && !words;

/** Rows that a page of a wallet reads beyond its lines: one line may combine several of them. */
export const furtherEntries = 5;

/**
 * Number of rows that the usual page of a wallet reads: its plan is cached, and such pages are read in one
 * statement.
 */
const usualPageRows = lists.defaultLimit + furtherEntries;
export const isUsual = (filter: MovementFilter): boolean =>
  isWhole(filter) && filter.limit === usualPageRows;

/** Joint balance of the accounts after the transfer `id`. */
const balanceAt = (ids: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql`coalesce(sum(last.balance), 0)::bigint from unnest(${ids}) account, lateral (
    select balance from (
      (select id, debit_balance as balance from transfer
        where debit_account = account and id <= ${id} order by id desc limit 1)
      union all
      (select id, credit_balance from transfer
        where credit_account = account and id <= ${id} order by id desc limit 1)
    ) either order by either.id desc limit 1) last`;
