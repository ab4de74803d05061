// Outgoing money of the wallets that a person acts for: the sum that decides whether a code is required, for
// transfers and for all purchases.
import { type RawBuilder, sql } from "kysely";
import { type Db, prepared, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { actsForSql } from "#server/family/family.ts";

const spanMs = 24 * 3_600_000;

/**
 * SQL: cents spent on purchases, put on hold and sent in the 24 h before `at` from one's own wallets and
 * those of one's children. Money that was refunded since still counts; meals do not, which are held and
 * released until their deadline.
 */
export function outgoingSql(person: RawBuilder<unknown>, at: Date): RawBuilder<number> {
  const since = new Date(at.getTime() - spanMs);
  // A lateral sum per lot: read by the index of recent outgoing transfers, never by the whole journal.
  return sql<number>`(
    select coalesce(sum(left_lot.cents), 0)::bigint
    from (${actsForSql(person)}) reached (id)
    join wallet w on w.person_id = reached.id join wallet_lot l on l.wallet_id = w.id
    cross join lateral (
      select (select coalesce(sum(t.amount), 0) from transfer t
          where t.debit_account = l.account_id and t.at > ${since}
            and t.kind in ('purchase', 'transfer'))
        + (select coalesce(sum(h.amount), 0) from hold h
          where h.debit_account = l.account_id and h.state = 'pending' and h.kind <> 'meal'
            and h.at > ${since}) as cents
      ) left_lot)`;
}

/**
 * SQL: an upper bound of `outgoingSql` of one account `a`, read from its own row: its outgoing money since
 * the start of the day of the bound, and all its holds. Exact where the account's days do not reach back that
 * far.
 */
export function outgoingAtMostSql(at: Date): RawBuilder<number> {
  const since = new Date(at.getTime() - spanMs);
  const day = since.toISOString().slice(0, 10);
  return sql<number>`(a.held + case when a.outgoing_on is null or a.outgoing_on < ${day}::date then 0
    when a.outgoing_on = ${day}::date then a.outgoing
    when a.outgoing_on = ${day}::date + 1 then a.outgoing + a.outgoing_before
    else (select coalesce(sum(t.amount), 0) from transfer t where t.debit_account = a.id and t.at > ${since}
      and t.kind in ('purchase', 'meal', 'transfer')) end)`;
}

interface OutgoingOf {
  personIds: readonly number[];
  walletIds: readonly number[];
}

/** SQL: the locks of `lockOutgoing`, for a statement that locks something else before. */
export const outgoingLockSql = ({ personIds, walletIds }: OutgoingOf): RawBuilder<unknown> => sql`
  select from wallet where id = any (${walletIds}::bigint[])
    or (person_id = any (${personIds}::bigint[]) and group_id = 1)
    order by id for no key update`;

/**
 * Locks wallets in id order until the transaction ends, and with them the main wallet of the acting person:
 * concurrent operations of one person wait for one another, in whichever wallet. Call it before other locks.
 */
export async function lockOutgoing(tx: Tx, of: OutgoingOf): Promise<void> {
  await sql`${prepared("outgoing-lock")} ${outgoingLockSql(of)}`.execute(tx);
}

/** `outgoingSql` of each of many people, in their order. */
export async function outgoingOf(
  db: Db,
  personIds: readonly number[],
  at: Date,
): Promise<number[]> {
  const { rows } = await sql<{ cents: number }>`${prepared("outgoing-of")}
    select ${outgoingSql(sql.ref("q.person"), at)} as cents
    from unnest(${personIds}::bigint[]) with ordinality as q (person, ord) order by q.ord`.execute(
    db,
  );
  return rows.map(({ cents }) => cents);
}

/**
 * Cents that left in the 24 h before `at` (`outgoingSql`): from `config.codeFromCents` on, this operation
 * included, a code is required (spec.md 28).
 */
export async function outgoingCents(db: Db, personId: number, at: Date): Promise<number> {
  const { cents } = await query(db).one(sql<{ cents: number }>`
    select ${outgoingSql(sql`${personId}::bigint`, at)} as cents`);
  return cents;
}
