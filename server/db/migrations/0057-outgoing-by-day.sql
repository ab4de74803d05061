-- What left an account by day, kept on its row: an upper bound of what left in 24 hours, for which nothing of
-- the journal is read. Only where the bound reaches the sum that asks for a code is the exact sum read.

alter table ledger_account
  -- The latest day (UTC) on which a purchase, a meal or a transfer left it, and what left on it and on the
  -- day before. Days are of the transfers' own time, in whatever order they are posted.
  add column outgoing_on date,
  add column outgoing bigint not null default 0,
  add column outgoing_before bigint not null default 0;

update ledger_account a set outgoing_on = s.day, outgoing = s.cents, outgoing_before = s.before
from (
  select l.id, l.day,
    sum(t.amount) filter (where (t.at at time zone 'UTC')::date = l.day) as cents,
    coalesce(sum(t.amount) filter (where (t.at at time zone 'UTC')::date = l.day - 1), 0) as before
  from (
    select b.id, (newest.at at time zone 'UTC')::date as day
    from ledger_account b cross join lateral (
      select o.at from transfer o
      where o.debit_account = b.id and o.kind in ('purchase', 'meal', 'transfer')
      order by o.at desc limit 1) newest) l
  join transfer t on t.debit_account = l.id and t.kind in ('purchase', 'meal', 'transfer')
    and t.at >= (l.day - 1)::timestamp at time zone 'UTC'
  group by l.id, l.day) s
where s.id = a.id;

-- As in 0001; it also keeps what left by day.
create or replace function ledger_write(
  items int[], keys text[], debits bigint[], credits bigint[], amounts bigint[],
  kinds text[], memos jsonb[], reversed bigint[], ats timestamptz[]
) returns text language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  touched bigint[] := debits || credits;
  short boolean;
  mixed boolean;
begin
  with input as (
    select i.*, row_number() over (partition by item order by ord) as part
    from unnest(items, keys, debits, credits, amounts, kinds, memos, reversed, ats)
      with ordinality as i (item, key, debit, credit, amount, kind, memo, reverses, at, ord)
  ), account as materialized (
    select id, balance, version, floor + held as lowest, asset, outgoing_on
    from ledger_account where id = any (touched)
  ), leg as (
    select ord, out, id, delta,
      case when out and kind in ('purchase', 'meal', 'transfer')
        then (coalesce(at, now()) at time zone 'UTC')::date end as day
    from input, lateral (values (true, debit, -amount), (false, credit, amount)) l (out, id, delta)
  ), running as (
    select ord, out, id, delta, day, lowest, asset,
      balance + (sum(delta) over w)::bigint as balance, version + row_number() over w as version,
      greatest(outgoing_on, max(day) over (partition by id)) as newest
    from leg join account using (id)
    window w as (partition by id order by ord)
  ), explained as materialized (
    select ord,
      max(balance) filter (where out) as debit_balance,
      max(balance) filter (where not out) as credit_balance,
      max(version) filter (where out) as debit_version,
      max(version) filter (where not out) as credit_version,
      coalesce(bool_or(out and balance < lowest), false) as short,
      min(asset) <> max(asset) as mixed
    from running group by ord
  ), verdict as materialized (
    select bool_or(short) as short, bool_or(mixed) as mixed from explained
  ), posted as (
    insert into transfer (debit_account, credit_account, amount, debit_balance, credit_balance, debit_version,
      credit_version, at, reverses, part, kind, key, memo)
    select debit, credit, amount, debit_balance, credit_balance, debit_version,
      credit_version, coalesce(at, now()), reverses, part, kind, key, memo
    from input join explained using (ord), verdict v
    where not (v.short or v.mixed)
    order by ord
  ), moved as (
    update ledger_account a set balance = a.balance + l.delta, version = a.version + l.legs,
      outgoing_on = l.newest,
      outgoing = l.latest + case when a.outgoing_on = l.newest then a.outgoing else 0 end,
      outgoing_before = l.before + case when a.outgoing_on = l.newest then a.outgoing_before
        when a.outgoing_on = l.newest - 1 then a.outgoing else 0 end
    from (select id, sum(delta)::bigint as delta, count(*) as legs, max(newest) as newest,
        coalesce(-sum(delta) filter (where day = newest), 0)::bigint as latest,
        coalesce(-sum(delta) filter (where day = newest - 1), 0)::bigint as before
      from running group by id) l, verdict v
    where a.id = l.id and a.id = any (touched) and not (v.short or v.mixed)
  )
  select v.short, v.mixed into short, mixed from verdict v;
  if mixed then
    raise exception 'ledger: euros and points in one transfer' using errcode = 'data_exception';
  end if;
  return case when short then 'insufficient_funds' end;
end $$;

create or replace function ledger_write_one(
  post_key text, from_account bigint, to_account bigint, cents bigint, post_kind text,
  post_memo jsonb, undone bigint, made_at timestamptz
) returns table (
  id bigint, at timestamptz, debit_balance bigint, credit_balance bigint,
  debit_version bigint, credit_version bigint, refused text
) language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  d ledger_account;
  c ledger_account;
  day date;
begin
  select * into d from ledger_account a where a.id = from_account;
  select * into c from ledger_account a where a.id = to_account;
  if d.asset <> c.asset then
    raise exception 'ledger: euros and points in one transfer' using errcode = 'data_exception';
  end if;
  if d.balance - cents < d.floor + d.held then
    refused := 'insufficient_funds';
  else
    insert into transfer (debit_account, credit_account, amount, debit_balance, credit_balance, debit_version,
      credit_version, at, reverses, part, kind, key, memo)
    values (from_account, to_account, cents, d.balance - cents, c.balance + cents, d.version + 1,
      c.version + 1, coalesce(made_at, now()), undone, 1, post_kind, post_key, post_memo)
    returning transfer.id, transfer.at, transfer.debit_balance, transfer.credit_balance,
      transfer.debit_version, transfer.credit_version
    into id, at, debit_balance, credit_balance, debit_version, credit_version;
    if post_kind in ('purchase', 'meal', 'transfer') then
      day := (coalesce(made_at, now()) at time zone 'UTC')::date;
      if d.outgoing_on is null or day > d.outgoing_on then
        d.outgoing_before := case when d.outgoing_on = day - 1 then d.outgoing else 0 end;
        d.outgoing := cents;
        d.outgoing_on := day;
      elsif day = d.outgoing_on then
        d.outgoing := d.outgoing + cents;
      elsif day = d.outgoing_on - 1 then
        d.outgoing_before := d.outgoing_before + cents;
      end if;
    end if;
    update ledger_account a set balance = balance - cents, version = version + 1,
      outgoing_on = d.outgoing_on, outgoing = d.outgoing, outgoing_before = d.outgoing_before
      where a.id = from_account;
    update ledger_account a set balance = balance + cents, version = version + 1
      where a.id = to_account;
  end if;
  return next;
end $$;
