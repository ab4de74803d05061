// A month of till sales written in bulk, as the till writes each: the sale, its transfer, and for one in
// twenty a refund of a third. For measures and tests of the closing.
import { sql } from "kysely";
import { parisDay, startOfDay } from "#contract/days.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { post } from "#server/ledger/ledger.ts";
import type { Deps } from "#server/process/deps.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { cast } from "./cast.ts";

/** Sales that one transaction writes. */
const batch = 5000;

interface ManySales {
  /** YYYY-MM, over already. */
  month: string;
  sales: number;
  /** Sheets that sell in turn, each with a company. */
  references: readonly string[];
}

interface FundedWallet {
  holder: number;
  wallet: number;
  lot: number;
}

/** Writes them from a wallet that is filled for it; gives what they left on the tills' account, in cents. */
export async function writeManySales(deps: Pick<Deps, "db">, options: ManySales): Promise<number> {
  const purse = await inTx(deps.db, (tx) => fundWallet(tx, options));
  for (let from = 0; from < options.sales; from += batch) {
    const until = Math.min(options.sales, from + batch);
    await inTx(deps.db, (tx) => writeBatch(tx, options, { purse, from, until }));
  }
  const { rows } = await sql<{ cents: number }>`
    select balance as cents from ledger_account a join scheme_account s on s.account_id = a.id
    where s.name = 'tills'`.execute(deps.db);
  return rows[0]?.cents ?? 0;
}

async function fundWallet(tx: Tx, { sales }: ManySales): Promise<FundedWallet> {
  const { rows } = await sql<FundedWallet>`
    select w.person_id as holder, w.id as wallet, l.account_id as lot
    from card c join wallet w on w.person_id = c.person_id and w.group_id = 1
    join wallet_lot l on l.wallet_id = w.id and l.kind = 'purchased'
    where c.number = ${cast.guardian.cardnumber}`.execute(tx);
  const purse = rows[0] as FundedWallet;
  await post(tx, [
    {
      key: "many-sales",
      debitAccount: await schemeAccount(tx, "payments:sandbox"),
      creditAccount: purse.lot,
      amountCents: sales * 5000,
      kind: "top_up",
    },
  ]);
  return purse;
}

async function writeBatch(
  tx: Tx,
  { month, references }: ManySales,
  { purse, from, until }: { purse: FundedWallet; from: number; until: number },
): Promise<void> {
  const tills = await schemeAccount(tx, "tills");
  const opens = startOfDay(parisDay(new Date(`${month}-01T12:00:00Z`)));
  await sql`
    create temporary table sold on commit drop as
    select gen_random_uuid() as id, n, 100 + n % 4900 as cents,
      case when n % 20 = 0 then (100 + n % 4900) / 3 else 0 end as back, p.id as partner,
      m.person_id as cashier, ${opens}::timestamptz + interval '9 hours'
        + n % 27 * interval '1 day' + n % 30000 * interval '1 second' as at
    from generate_series(${from}::int, ${until - 1}::int) n
    join partner p on p.reference = (${references}::text[])[1 + n % ${references.length}::int]
    join lateral (select person_id from company_member m where m.company_id = p.company_id limit 1) m
      on true`.execute(tx);
  await sql`
    insert into till_sale (id, partner_id, cashier_id, holder_id, cardnumber, wallet_id, state,
      amount_cents, discount_cents, refunded_cents, requested_at, paid_at, ended_at)
    select id, partner, cashier, ${purse.holder}, ${cast.guardian.cardnumber}, ${purse.wallet}, 'paid',
      cents, 0, back, at, at, at from sold`.execute(tx);
  await sql`insert into till_return (sale_id, place, amount_cents, by_id, at)
    select id, 1, back, cashier, at + interval '1 hour' from sold where back > 0`.execute(tx);
  await sql`
    select count(posted.id) from (
      select array_agg(item order by item) as items, array_agg(key order by item) as keys,
        array_agg(debit order by item) as debits, array_agg(credit order by item) as credits,
        array_agg(cents order by item) as amounts, array_agg(kind order by item) as kinds,
        array_agg(memo order by item) as memos, array_agg(null::bigint) as undone,
        array_agg(at order by item) as ats
      from (select row_number() over (order by at)::int as item, * from (
        select 'till:' || id as key, ${purse.lot}::bigint as debit, ${tills}::bigint as credit,
          cents::bigint as cents, 'purchase' as kind, null::jsonb as memo, at from sold
        union all
        select 'till:' || id || ':refund:1', ${tills}::bigint, ${purse.lot}::bigint, back::bigint,
          'refund', jsonb_build_object('lot', ${purse.lot}::bigint), at + interval '1 hour'
        from sold where back > 0) moves) numbered) all_of_them
    cross join lateral ledger_post(true, items, keys, debits, credits, amounts, kinds, memos, undone,
      ats) posted`.execute(tx);
}
