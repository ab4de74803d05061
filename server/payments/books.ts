// Accounting reports for the operator: the movements of a day by account and kind, proved from the journal;
// and the money in suspense with its origin.
import { sql } from "kysely";
import { addDays, startOfDay } from "#contract/days.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";

/** Transfers in euros of one kind from one kind of account to another: their number and sum. */
export interface Flow {
  /** Name of a scheme account, or `wallet`. */
  from: string;
  to: string;
  kind: string;
  count: number;
  cents: number;
}

/** Accounts of one name: their sum before the day, the change of the day, the sum now. */
export interface BookLine {
  name: string;
  openingCents: number;
  dayCents: number;
  closingCents: number;
  /** The balance of the accounts, and the sum of their whole journal: equal, or the ledger is wrong. */
  nowCents: number;
  journalCents: number;
}

export interface DayBook {
  flows: Flow[];
  lines: BookLine[];
  /** Whether every account agrees with its journal, and all of them together sum to zero. */
  balances: boolean;
}

/** The book of a day in Paris. Reads the whole journal once: an operator's question, not a screen's. */
export async function bookOf(db: Db, day: string): Promise<DayBook> {
  const [from, to] = [startOfDay(day), startOfDay(addDays(day, 1))];
  const tx = await db.startTransaction().setIsolationLevel("repeatable read").execute();
  try {
    await sql`set local statement_timeout = 0`.execute(tx);
    const { rows: flows } = await sql<Flow>`
      select coalesce(ds.name, da.kind) as from, coalesce(cs.name, ca.kind) as to, t.kind,
        count(*)::int as count, sum(t.amount)::bigint as cents
      from transfer t
      join ledger_account da on da.id = t.debit_account and da.asset = 'EUR'
      join ledger_account ca on ca.id = t.credit_account
      left join scheme_account ds on ds.account_id = da.id
      left join scheme_account cs on cs.account_id = ca.id
      where t.at >= ${from} and t.at < ${to}
      group by 1, 2, 3 order by 1, 2, 3`.execute(tx);
    const { rows: lines } = await sql<BookLine>`
      with entry as (
        select debit_account as account, -amount as cents, at from transfer
        union all select credit_account, amount, at from transfer
      ), summed as (
        select account, sum(cents) as journal, coalesce(sum(cents) filter (where at < ${from}), 0) as opening,
          coalesce(sum(cents) filter (where at >= ${from} and at < ${to}), 0) as day
        from entry group by account
      )
      select coalesce(s.name, a.kind) as name, coalesce(sum(e.opening), 0)::bigint as opening_cents,
        coalesce(sum(e.day), 0)::bigint as day_cents,
        coalesce(sum(e.opening + e.day), 0)::bigint as closing_cents,
        coalesce(sum(a.balance), 0)::bigint as now_cents,
        coalesce(sum(e.journal), 0)::bigint as journal_cents
      from ledger_account a left join summed e on e.account = a.id
      left join scheme_account s on s.account_id = a.id
      where a.asset = 'EUR' group by 1 order by 1`.execute(tx);
    const sum = (read: (line: BookLine) => number) =>
      lines.reduce((total, line) => total + read(line), 0);
    const balances =
      lines.every(({ nowCents, journalCents }) => nowCents === journalCents) &&
      sum(({ nowCents }) => nowCents) === 0 &&
      sum(({ closingCents }) => closingCents) === 0;
    return { flows, lines, balances };
  } finally {
    await tx.rollback().execute();
  }
}

/** Money in suspense that one transfer brought and that is still there. */
export interface SuspenseLine {
  transferId: number;
  at: Date;
  /** The part of it that is still there. */
  leftCents: number;
  key: string;
  /** The expected amount, where the difference is why it waits. */
  expectedCents: number | null;
  topUpId: string | null;
  provider: string | null;
  payer: string | null;
  wallet: string | null;
}

/**
 * The money in suspense, the oldest first, and the account's balance: the lines add up to it. Money leaves
 * suspense under a key that begins with the one that brought it (postings.ts), or by a reversal.
 */
export async function suspenseLines(
  db: Db,
): Promise<{ lines: SuspenseLine[]; balanceCents: number }> {
  const { rows: lines } = await sql<SuspenseLine>`
    select t.id as transfer_id, t.at, t.amount - gone.cents as left_cents, t.key,
      (t.memo->>'expectedCents')::bigint as expected_cents, u.id as top_up_id, u.provider,
      p.name as payer, w.name || ', ' || o.name as wallet
    from scheme_account s join transfer t on t.credit_account = s.account_id
    cross join lateral (select coalesce(sum(b.amount), 0)::bigint as cents from transfer b
      where b.debit_account = s.account_id
        and (b.reverses = t.id or starts_with(b.key, t.key || ':'))) gone
    left join top_up u on t.key = 'charge:' || u.provider || ':' || u.provider_ref
    left join person p on p.id = u.person_id
    left join wallet w on w.id = u.wallet_id left join person o on o.id = w.person_id
    where s.name = 'suspense' and t.amount > gone.cents order by t.at, t.id`.execute(db);
  const found = await query(db).maybeOne(sql<{ cents: number }>`
    select a.balance as cents from scheme_account s join ledger_account a on a.id = s.account_id
    where s.name = 'suspense'`);
  return { lines, balanceCents: found?.cents ?? 0 };
}
