// What a family really spent, by month in Paris and category: purchases and meals, less what of them came
// back. A category is the account of the scheme that was paid, so that a refund falls under what it refunds.
import { sql, type RawBuilder } from "kysely";
import { firstOfMonth, parisDay, startOfDay } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import {
  type ListedCategory,
  type SpendingCategory,
  type SpendingPart,
  spendingMonths,
  type walletSpending,
} from "#contract/wallet/spending.ts";
import { type Db, opaqueParameter, prepared } from "#server/db/db.ts";
import { actsForSql } from "#server/family/family.ts";
import type { MovementFilter } from "#server/ledger/ledger.ts";

/** The accounts of the scheme that receive what is spent in a category. */
const accounts: Readonly<Record<ListedCategory, readonly string[]>> = {
  meals: ["meals"],
  transport: ["transport"],
  subscription: ["subscriptions"],
  tickets: ["tickets"],
  shops: ["tills", "purchases"],
};

const namesOf = (category: ListedCategory): RawBuilder<unknown> =>
  sql.lit(`{${accounts[category].join(",")}}`);

/** The movements that make up a category: what was spent in it, and what of that came back. */
export const spendingFilter = (
  category: ListedCategory,
): Pick<MovementFilter, "counterparts" | "kinds"> => ({
  kinds: ["purchase", "meal", "refund", "correction"],
  counterparts: sql`select account_id from scheme_account
    where name = any (${namesOf(category)}::text[])`,
});

type Spending = Output<typeof walletSpending.spending>;

interface Row {
  objectID: string;
  name: string;
  cardnumber: number;
  owner: string;
  own: boolean;
  /** Null for a wallet that spent nothing. */
  month: string | null;
  category: SpendingCategory | null;
  cents: number;
  operations: number;
  toDateCents: number;
}

/** Spending of the wallets of a person and of the children whom they act for, in the last twelve months. */
export async function spendingOf(db: Db, personId: number, now: Date): Promise<Spending> {
  const today = parisDay(now);
  const first = firstOfMonth(today, 1 - spendingMonths);
  const rows = await readSpending(db, { personId, now, first });
  const lastMonth = firstOfMonth(today, -1).slice(0, 7);
  const months = Array.from({ length: spendingMonths }, (_, index) =>
    firstOfMonth(first, index).slice(0, 7),
  );
  const wallets = [...Map.groupBy(rows, ({ objectID }) => objectID).values()].map((some) => {
    const { objectID, name, cardnumber, owner, own } = some[0] as Row;
    const lastMonthToDateCents = some
      .filter(({ month }) => month === lastMonth)
      .reduce((sum, { toDateCents }) => sum + toDateCents, 0);
    return { objectID, name, cardnumber, owner, own, lastMonthToDateCents };
  });
  const parts = rows.flatMap(({ month, objectID, category, cents, operations }): SpendingPart[] =>
    month === null || category === null ? [] : [{ month, objectID, category, cents, operations }],
  );
  return { months, wallets, parts };
}

/**
 * Three index scans a lot: what it paid, what came back to it, and what came back and was taken again when
 * operators reversed it. A correction counts only against an account of a category: others undo top-ups.
 */
async function readSpending(
  db: Db,
  { personId, now, first }: { personId: number; now: Date; first: string },
): Promise<Row[]> {
  const since = opaqueParameter(startOfDay(first), "timestamptz");
  const until = opaqueParameter(now, "timestamptz");
  const { rows } = await sql<Row>`${prepared("monthly-spending")}
    select w.object_id as "objectID", w.name, w.cardnumber, w.owner, w.own, s.month, s.category,
      coalesce(s.cents, 0)::bigint as cents, coalesce(s.operations, 0)::int as operations,
      coalesce(s.to_date_cents, 0)::bigint as to_date_cents
    from (
      select w.id, w.object_id, w.name, w.group_id, p.name as owner, c.number as cardnumber,
        p.id = ${opaqueParameter(personId, "bigint")} as own
      from (${actsForSql(personId)}) reached (id)
      join person p on p.id = reached.id
      cross join lateral current_card(p.id) c
      cross join lateral (select * from wallet where person_id = p.id offset 0) w) w
    left join lateral (
      select to_char(t.at at time zone 'Europe/Paris', 'YYYY-MM') as month,
        ${categorySql(sql.ref("a.name"))} as category,
        sum(t.cents)::bigint as cents, count(distinct t.key) as operations,
        coalesce(sum(t.cents) filter (where t.at at time zone 'Europe/Paris'
          <= ${until} at time zone 'Europe/Paris' - interval '1 month'), 0)::bigint as to_date_cents
      from wallet_lot l
      cross join lateral (
        select at, key, kind, amount as cents, credit_account as counterpart from transfer
          where debit_account = l.account_id and at >= ${since} and kind in ('purchase', 'meal')
        union all
        select at, key, kind, -amount, debit_account from transfer
          where credit_account = l.account_id and at >= ${since} and kind in ('refund', 'correction')
        union all
        select again.at, again.key, again.kind, again.amount, again.credit_account
          from transfer back join transfer again on again.reverses = back.id
          where back.credit_account = l.account_id and back.kind in ('refund', 'correction')
            and again.debit_account = l.account_id and again.at >= ${since}) t
      left join scheme_account a on a.account_id = t.counterpart
      where l.wallet_id = w.id and t.at <= ${until}
        and (t.kind <> 'correction' or ${categorySql(sql.ref("a.name"))} <> 'other')
      group by 1, 2) s on true
    order by w.own desc, w.owner collate "fr-x-icu", w.cardnumber, w.group_id, s.month, s.category`.execute(
    db,
  );
  return rows;
}

const categorySql = (name: RawBuilder<unknown>): RawBuilder<SpendingCategory> => {
  const cases = (Object.keys(accounts) as ListedCategory[]).map(
    (category) => sql`when ${name} = any (${namesOf(category)}::text[]) then ${sql.lit(category)}`,
  );
  return sql`case ${sql.join(cases, sql` `)} else 'other' end`;
};
