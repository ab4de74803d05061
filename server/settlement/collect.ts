// Collects the amounts owed to companies: the journal of each account of the scheme is read once, in order,
// in chunks, and gives one line for each group of transfers; each ticket gives one once it was used or its
// event is past. A line is written only once, so reading again changes nothing.
import { type RawBuilder, sql } from "kysely";
import { startOfDay, firstOfMonth } from "#contract/days.ts";
import type { SettlementSource } from "#contract/settlement/states.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { commissionInForce } from "#server/partners/partners.ts";
import { type SchemeAccount, schemeAccount } from "#server/wallet/wallet.ts";

/** The month that is closed, and the first instant after it. */
export interface ClosingMonth {
  /** YYYY-MM. */
  month: string;
  end: Date;
}

export const closingMonth = (month: string): ClosingMonth => ({
  month,
  end: startOfDay(firstOfMonth(`${month}-01`, 1)),
});

/** The account that holds each source's money until its month is closed. */
export const sourceAccounts: Readonly<Record<SettlementSource, SchemeAccount>> = {
  till: "tills",
  meal: "meals",
  ticket: "tickets",
  pass: "transport",
};

/**
 * Finds in its room the group of transfers under a key (`g.subject`, for a correction the key of what it
 * reverses): the company to which it is owed, its sheet, its label, when it was sold and, where that differs
 * from the posting, the day to which it belongs.
 */
interface JournalSource {
  source: SettlementSource;
  /** Prefixes of the keys of the room's own transfers; patterns of `like any`. */
  keys: readonly string[];
  /** Whether those give lines themselves, or only their reversals do. */
  walked: boolean;
  from: RawBuilder<unknown>;
  label: RawBuilder<string>;
  soldAt: RawBuilder<Date>;
  dueOn: RawBuilder<string | null>;
  partner: RawBuilder<string>;
  company: RawBuilder<string>;
}

/** The sheet of a company where the sale names none: the first by its reference. */
const firstSheet = (company: RawBuilder<string>) => sql<string>`(select sheet.id from partner sheet
  where sheet.company_id = ${company} order by sheet.reference limit 1)`;
const ownId = sql`split_part(g.subject, ':', 2)::uuid`;
const none = sql<null>`null::date`;

const journals: readonly JournalSource[] = [
  {
    source: "till",
    keys: ["till:%"],
    walked: true,
    from: sql`join till_sale s on s.id = ${ownId} join partner p on p.id = s.partner_id`,
    label: sql`p.name || case when s.label is null then '' else ', ' || s.label end`,
    soldAt: sql`s.paid_at`,
    dueOn: none,
    partner: sql`p.id`,
    company: sql`p.company_id`,
  },
  {
    source: "meal",
    keys: ["meal-%"],
    walked: true,
    from: sql`join meal_order o on o.id = ${ownId} join canteen c on c.id = o.canteen_id
      join canteen_provider v on v.id = c.provider_id join partner p on p.id = v.partner_id`,
    label: sql`c.name || ', repas du ' || to_char(o.on_day, 'DD/MM/YYYY') || ' n° ' || o.number`,
    soldAt: sql`o.ordered_at`,
    dueOn: sql`o.on_day`,
    partner: sql`p.id`,
    company: sql`p.company_id`,
  },
  {
    source: "pass",
    // An employer's part is money of the pass like its buyer's (server/commuting/shares.ts).
    keys: ["pass:%", "pass-duplicate:%", "commuting:%"],
    walked: true,
    from: sql`join lateral (
        select b.id, b.product_id, b.paid_at from pass_order b where b.id = ${ownId}
        union all
        select b.id, b.product_id, b.paid_at from pass q join pass_order b on b.id = q.order_id
        where q.id = ${ownId} and g.subject like 'pass-duplicate:%') b on true
      join fare_product f on f.id = b.product_id join fare_group n on n.group_id = f.group_id
        -- What was sold before the company ran the network is not its own, nor what undoes it.
        and (n.company_since is null or n.company_since <= case
          when g.subject like 'pass-duplicate:%' then
            (select o.at from transfer o where o.key = g.subject and o.part = 1)
          else coalesce(b.paid_at, g.at) end)`,
    label: sql`f.name || case when g.subject like 'pass-duplicate:%' then ', duplicata'
      when g.subject like 'commuting:%' then ', part de l’employeur' else '' end`,
    soldAt: sql`coalesce(b.paid_at, g.at)`,
    dueOn: none,
    partner: firstSheet(sql`n.company_id`),
    company: sql`n.company_id`,
  },
  {
    // Tickets are collected one by one: of their journal, only operators' reversals are read.
    source: "ticket",
    keys: ["tickets:%"],
    walked: false,
    from: sql`join lateral (
        select e.title, o.paid_at, e.company_id from ticket_order o join ticket k on k.order_id = o.id
          join ticket_session s on s.id = k.session_id join ticket_event e on e.id = s.event_id
        where o.id = ${ownId}
        order by k.price_cents desc, k.id limit 1) b on true`,
    label: sql`b.title`,
    soldAt: sql`coalesce(b.paid_at, g.at)`,
    dueOn: none,
    partner: firstSheet(sql`b.company_id`),
    company: sql`b.company_id`,
  },
];

/**
 * SQL: sums of the reversals by two operators of a company since the `span`, one for each source, null
 * without.
 */
export const correctionsSince = (companyId: string): RawBuilder<unknown> =>
  sql.join(
    journals.map(
      ({ source, keys, from, company }) => sql`
        select ${source} as source, sum(g.cents) as cents from (
          select o.key as subject, t.at,
            case when t.credit_account = a.account_id then t.amount else -t.amount end as cents
          from span, scheme_account a, transfer t join transfer o on o.id = t.reverses
          where a.name = ${sourceAccounts[source]} and t.reverses is not null and t.at >= span.start
            and a.account_id in (t.credit_account, t.debit_account)
            and o.key like any (${keys}::text[])) g ${from}
        where ${company} = ${companyId}`,
    ),
    sql` union all `,
  );

interface Step {
  read: number;
  last: number | null;
  /** The first transfer that is too late for a line of this month. */
  later: number | null;
  written: number;
}

/** Called after each chunk. */
export type Progress = (collected: { read: number; written: number }) => void;

/** Writes every missing line of a month; repeating it changes nothing. */
export async function collectLines(
  db: Db,
  closing: ClosingMonth,
  { chunk, progress }: { chunk: number; progress: Progress },
): Promise<void> {
  const sum = { read: 0, written: 0 };
  const add = (step: Pick<Step, "read" | "written">) => {
    sum.read += step.read;
    sum.written += step.written;
    progress(sum);
  };
  for (const journal of journals) await collectJournal(db, closing, journal, { chunk, add });
  await collectTickets(db, closing, { chunk, add });
}

interface Walk {
  chunk: number;
  add: (step: Pick<Step, "read" | "written">) => void;
}

async function collectJournal(
  db: Db,
  closing: ClosingMonth,
  journal: JournalSource,
  { chunk, add }: Walk,
): Promise<void> {
  const { month } = closing;
  const account = await schemeAccount(db, sourceAccounts[journal.source]);
  let after = await startingMark(db, month, account);
  let mark: number | null = null;
  for (;;) {
    const step = await collectStep(db, closing, journal, { account, after, chunk });
    if (step.last === null) break;
    mark ??= step.later === null ? null : step.later - 1;
    after = step.last;
    add(step);
  }
  await sql`insert into settlement_mark (month, account_id, transfer_id)
    values (${month}, ${account}, ${mark ?? after})
    on conflict (month, account_id) do update set transfer_id = excluded.transfer_id`.execute(db);
}

/**
 * Where reading the journal starts: at the mark of the month before the last one. A transfer that was under
 * way when the last month was closed is thus found by this one.
 */
async function startingMark(db: Db, month: string, account: number): Promise<number> {
  const found = await query(db).maybeOne(sql<{ id: number }>`
    select transfer_id as id from settlement_mark where account_id = ${account} and month < ${month}
    order by month desc offset 1 limit 1`);
  return found?.id ?? 0;
}

async function collectStep(
  db: Db,
  { month, end }: ClosingMonth,
  { source, keys, walked, from, label, soldAt, dueOn, partner, company }: JournalSource,
  { account, after, chunk }: { account: number; after: number; chunk: number },
): Promise<Step> {
  const columns = sql`id, key, part, at, reverses`;
  return await query(db).one(sql<Step>`
    with step as materialized (
      select * from (
        (select ${columns} from transfer where credit_account = ${account} and id > ${after}
          order by id limit ${chunk}::int)
        union all
        (select ${columns} from transfer where debit_account = ${account} and id > ${after}
          order by id limit ${chunk}::int)) both_sides
      order by id limit ${chunk}::int
    ), first as materialized (
      select step.key, step.at, posted.cents, not is_own as corrects,
        case when is_own then step.key
          else (select o.key from transfer o where o.id = step.reverses) end as subject
      from step cross join lateral (select step.key like any (${keys}::text[]) as is_own) own
      cross join lateral (
        select sum(case when t.credit_account = ${account} then t.amount else -t.amount end)::bigint
            as cents, min(t.part) as first
        from transfer t where t.key = step.key
          and (t.credit_account = ${account} or t.debit_account = ${account})) posted
      where step.part = posted.first and posted.cents <> 0
        and (is_own and ${walked}::boolean or not is_own and step.reverses is not null)
    ), g as materialized (
      select * from first where subject like any (${keys}::text[])
    ), priced as (
      select g.key, g.at, g.corrects, g.cents, ${label} as label, ${company} as company_id,
        ${dueOn} as due_on, ${commissionInForce(partner, soldAt)} as rate
      from g ${from} where ${company} is not null
    ), written as (
      insert into settlement_line (source, key, company_id, month, kind, at, label, gross_cents,
        commission_basis_points, commission_cents)
      select ${source}, key, company_id, ${month},
        case when corrects then 'correction' when cents < 0 then 'return' else 'sale' end, at,
        left(label, 200), cents, rate, round(cents * rate / 10000.0)
      from priced where least(paris_day(at), due_on) < paris_day(${end}::timestamptz)
      on conflict do nothing returning 1
    )
    select (select count(*) from step)::int as read, (select max(id) from step) as last,
      (select min(id) from step where at >= ${end}) as later,
      (select count(*) from written)::int as written`);
}

/**
 * A ticket is owed once it was used or its session is over; the part kept from a cancelled one, once the
 * session is over. A transferred ticket counts as the one that replaced it. One that was settled as used and
 * is refunded with its event, whose session goes on into a later month, is deducted again.
 */
async function collectTickets(
  db: Db,
  { month, end }: ClosingMonth,
  { chunk, add }: Walk,
): Promise<void> {
  const row = await query(db).one(sql<{ since: string | null }>`
    select max(month) || '-01' as since from settlement_month
    where month < ${month} and closed_at is not null`);
  const since = row.since ? startOfDay(row.since) : new Date(0);
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const step = await query(db).one(sql<{ read: number; last: string | null; written: number }>`
      with step as materialized (
        select k.id, k.state, k.price_cents, k.refund_cents, k.used_at, k.ended_at, k.category_id,
          s.ends_at, e.title, e.company_id, o.paid_at
        from ticket_session s
        join ticket_event e on e.id = s.event_id and e.company_id is not null
        join ticket k on k.session_id = s.id join ticket_order o on o.id = k.order_id
        where s.ends_at >= ${since} and s.starts_at < ${end}::timestamptz + interval '7 days'
          and k.id > ${after}::uuid and k.issued_at is not null and o.paid_at is not null
        order by k.id limit ${chunk}::int
      ), due as (
        select *, case when state = 'used' then least(used_at, ends_at) else ends_at end as at,
          case when state = 'cancelled' then price_cents - coalesce(refund_cents, price_cents)
            when state in ('used', 'issued', 'expired') then price_cents else 0 end as cents,
          ${commissionInForce(firstSheet(sql`step.company_id`), sql`step.paid_at`)} as rate
        from step
      ), written as (
        insert into settlement_line (source, key, company_id, month, kind, at, label, gross_cents,
          commission_basis_points, commission_cents)
        select 'ticket', due.id::text, company_id, ${month}, 'sale', at,
          left(title || ', ' || c.name
            || case when state = 'cancelled' then ', retenue d''annulation' else '' end, 200),
          cents, rate, round(cents * rate / 10000.0)
        from due join ticket_category c on c.id = due.category_id
        where at < ${end} and cents <> 0 on conflict do nothing returning 1
      ), returned as (
        insert into settlement_line (source, key, company_id, month, kind, at, label, gross_cents,
          commission_basis_points, commission_cents)
        select 'ticket', due.id::text || ':return', sold.company_id, ${month}, 'return', ended_at, sold.label,
          cents - sold.gross_cents, sold.commission_basis_points,
          round((cents - sold.gross_cents) * sold.commission_basis_points / 10000.0)
        from due join settlement_line sold on sold.source = 'ticket' and sold.key = due.id::text
        where state = 'cancelled' and ended_at < ${end} and cents <> sold.gross_cents
        on conflict do nothing returning 1
      )
      select (select count(*) from step)::int as read,
        (select id from step order by id desc limit 1) as last,
        ((select count(*) from written) + (select count(*) from returned))::int as written`);
    if (!step.last) return;
    after = step.last;
    add(step);
  }
}
