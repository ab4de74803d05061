-- The ledger: accounts, an append-only journal of transfers, and holds. Money and points move
-- through the functions below and no other way; what they refuse bears the name of a problem of
-- the catalogue. Nothing here leans on SERIALIZABLE, foreign keys, advisory locks or a sequence
-- without gaps: accounts are locked in id order by a statement of its own, and what follows sees
-- what others committed.

create table ledger_account (
  id bigint generated always as identity primary key,
  -- Cents or points; what the account owns, holds included.
  balance bigint not null default 0,
  -- Part of the balance that pending holds keep.
  held bigint not null default 0,
  -- How many transfers have touched the account: its journal is gapless from 1 to here.
  version bigint not null default 0,
  -- Lowest balance once holds are deducted; null for accounts of the outside world.
  floor bigint,
  -- What left it by purchases, meals and transfers on the day `outgoing_on` and on the day before: an upper bound of
  -- what left in 24 hours, for which nothing of the journal is read.
  outgoing bigint not null default 0,
  outgoing_before bigint not null default 0,
  opened_at timestamptz not null default now(),
  -- The latest such day (UTC). Days are of the transfers' own time, in whatever order they are posted.
  outgoing_on date,
  asset text not null constraint asset_known check (asset in ('EUR', 'PTS')),
  kind text not null,
  constraint insufficient_funds check (floor is null or balance - held >= floor),
  constraint held_not_negative check (held >= 0)
) with (fillfactor = 80);
-- No index on a balance: it would end HOT updates, which the whole throughput stands on.

create table transfer (
  id bigint generated always as identity primary key,
  debit_account bigint not null,
  credit_account bigint not null,
  amount bigint not null,
  -- Balance and version of each side once the transfer is made: every row explains itself.
  debit_balance bigint not null,
  credit_balance bigint not null,
  debit_version bigint not null,
  credit_version bigint not null,
  at timestamptz not null,
  -- The transfer that this one undoes.
  reverses bigint,
  -- Position in its linked group, from 1; transfers of one key were posted together or not at all.
  part smallint not null,
  kind text not null,
  key text not null,
  memo jsonb,
  constraint amount_positive check (amount > 0),
  constraint two_accounts check (debit_account <> credit_account),
  constraint idempotency_mismatch unique (key, part)
);
create index transfer_debit on transfer (debit_account, id);
create index transfer_credit on transfer (credit_account, id);
-- What left an account in 24 hours, from which sum on a code is asked: read only where the bound that the account
-- keeps reaches that sum. Without the index it would read the account's whole journal.
create index transfer_outgoing on transfer (debit_account, at)
  where kind in ('purchase', 'meal', 'transfer');
create unique index already_reversed on transfer (reverses) where reverses is not null;
-- What a wallet spends lately (its forecast, on every dashboard) is read from what was bought alone: the index of all
-- that left brought every transfer of four weeks too, only to leave it out.
create index transfer_spending on transfer (debit_account, at) include (amount)
  where kind in ('purchase', 'meal');
-- What a child's card may still spend counts what came back: a sale of the same week that was refunded, or that an
-- operator undid, uses up no limit. Few transfers are of these kinds, and most wallets have none in a week.
create index transfer_returned on transfer (credit_account, at)
  where kind in ('refund', 'correction');

create table hold (
  id bigint generated always as identity primary key,
  debit_account bigint not null,
  -- Where the money goes unless the posting says otherwise.
  credit_account bigint,
  amount bigint not null constraint hold_positive check (amount > 0),
  posted_amount bigint,
  at timestamptz not null,
  -- From here on the hold can only be voided.
  expires_at timestamptz,
  closed_at timestamptz,
  state text not null default 'pending'
    constraint hold_state check (state in ('pending', 'posted', 'voided')),
  kind text not null,
  key text not null constraint hold_key unique,
  -- Key of the transfer that spent it.
  posted_key text,
  memo jsonb,
  constraint hold_posted check ((state = 'posted') = (posted_key is not null)),
  constraint hold_not_exceeded check (posted_amount between 1 and amount)
);
create index hold_pending on hold (debit_account) where state = 'pending';
create index hold_expiring on hold (expires_at) where state = 'pending';

-- What happened stays: no statement changes or removes a transfer, removes an account or a hold,
-- or reopens a closed hold.
create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % on % refused', tg_op, tg_table_name
    using errcode = 'restrict_violation';
end $$;
create trigger transfer_append_only before update or delete or truncate on transfer
  for each statement execute function ledger_refuse_change();
create trigger account_stays before delete or truncate on ledger_account
  for each statement execute function ledger_refuse_change();
create trigger hold_stays before delete or truncate on hold
  for each statement execute function ledger_refuse_change();
create trigger hold_closes_once before update on hold
  for each row when (old.state <> 'pending') execute function ledger_refuse_change();

-- Raises a refusal under the name of its problem, as a violated constraint would.
create function ledger_refuse(code text) returns void language plpgsql as $$
begin
  raise exception 'ledger: %', code using errcode = 'check_violation', constraint = code;
end $$;

-- Locks accounts in id order, as a statement of its own so that the next one reads what the
-- previous owner of the locks committed. Two callers that lock through here cannot wait for each
-- other.
--
-- Here and below, plans are generic and by index: planning one of these statements costs more than
-- running it, and a plan kept from the day the tables were empty must not scan them when they are
-- full.
create function ledger_lock(accounts bigint[]) returns void language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  locked int;
begin
  perform from ledger_account where id = any (accounts) order by id for no key update;
  get diagnostics locked = row_count;
  if locked <> (select count(distinct a) from unnest(accounts) a) then
    raise exception 'ledger: unknown account among %', accounts using errcode = 'no_data_found';
  end if;
end $$;

-- Writes every transfer of the arrays or none. Answers null when written, else the refusal.
-- Accounts are locked by the caller. Running balances follow the order of the arrays, so a batch
-- refuses exactly what the same transfers one after the other would refuse.
--
-- Whoever decides under locks forbids hash joins for its own reads. This write joins lists of the call with each
-- other, which have no index: without a hash each pair is compared, 2,000 for a batch of 32.
create function ledger_write(
  items int[], keys text[], debits bigint[], credits bigint[], amounts bigint[],
  kinds text[], memos jsonb[], reversed bigint[], ats timestamptz[]
) returns text language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan set enable_hashjoin = on as $$
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

-- The same for one transfer alone, in plain statements: half the time of the array of one.
create function ledger_write_one(
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

-- What a key already did: 'posted' (the same group, a replay), 'idempotency_mismatch' (anything
-- else), null when the key is new. The journal's row is its own fingerprint: all of it is compared
-- but the time, which a repeated call may tell differently.
create function ledger_known(
  keys text[], debits bigint[], credits bigint[], amounts bigint[],
  kinds text[], memos jsonb[], reversed bigint[]
) returns text language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  parts int;
  same int;
begin
  select count(*), count(*) filter (where debit_account = debits[part]
      and credit_account = credits[part]
      and amount = amounts[part] and kind = kinds[part]
      and memo is not distinct from memos[part] and reverses is not distinct from reversed[part])
    into parts, same from transfer where key = keys[1];
  return case when parts = 0 then null
    when parts = cardinality(keys) and same = parts then 'posted'
    else 'idempotency_mismatch' end;
end $$;

-- Posts an array of transfers in one call. `items` numbers the linked groups from 1, in order,
-- each under one key; a group is posted whole or refused whole. The fast path writes all groups at
-- once; when a key is known or something is refused, groups go one by one and each gets its own
-- outcome. Strict: the first refusal is raised under its problem's name and nothing is written.
create function ledger_post(
  strict_call boolean, items int[], keys text[], debits bigint[], credits bigint[],
  amounts bigint[], kinds text[], memos jsonb[], reversed bigint[], ats timestamptz[]
) returns table (
  ord int, id bigint, at timestamptz, debit_balance bigint, credit_balance bigint,
  debit_version bigint, credit_version bigint, replayed boolean, refused text
) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  total int := cardinality(items);
  first int := 1;
  last int;
  verdict text;
  refusals text[] := array_fill(null::text, array[items[total]]);
  replays boolean[] := array_fill(false, array[items[total]]);
  done boolean := false;
begin
  perform ledger_lock(debits || credits);
  if total = 1 and strict_call and not exists (select from transfer where key = keys[1]) then
    select 1, w.*, false into ord, id, at, debit_balance, credit_balance, debit_version,
      credit_version, refused, replayed
      from ledger_write_one(keys[1], debits[1], credits[1], amounts[1], kinds[1], memos[1],
        reversed[1], ats[1]) w;
    if refused is not null then
      perform ledger_refuse(refused);
    end if;
    return next;
    return;
  end if;
  if not exists (select from transfer where key = any (keys))
    and (select count(distinct k) from unnest(keys) k) = items[total] then
    begin
      verdict := ledger_write(items, keys, debits, credits, amounts, kinds, memos, reversed, ats);
      done := verdict is null;
    exception when unique_violation then
      done := false;
    end;
  end if;
  while not done and first <= total loop
    last := first;
    while items[last + 1] = items[first] loop last := last + 1; end loop;
    verdict := ledger_known(keys[first:last], debits[first:last], credits[first:last],
      amounts[first:last], kinds[first:last], memos[first:last], reversed[first:last]);
    if verdict = 'posted' then
      replays[items[first]] := true;
    elsif verdict is null then
      begin
        if first = last then
          select w.refused into verdict from ledger_write_one(keys[first], debits[first],
            credits[first], amounts[first], kinds[first], memos[first], reversed[first],
            ats[first]) w;
        else
          verdict := ledger_write(items[first:last], keys[first:last], debits[first:last],
            credits[first:last], amounts[first:last], kinds[first:last], memos[first:last],
            reversed[first:last], ats[first:last]);
        end if;
      exception when unique_violation then
        -- Another transaction used the key, or reversed the same transfer, since the look above.
        get stacked diagnostics verdict = constraint_name;
      end;
      refusals[items[first]] := verdict;
    else
      refusals[items[first]] := verdict;
    end if;
    if strict_call and refusals[items[first]] is not null then
      perform ledger_refuse(refusals[items[first]]);
    end if;
    first := last + 1;
  end loop;
  return query
    select i.ord::int, t.id, t.at, t.debit_balance, t.credit_balance, t.debit_version,
      t.credit_version, replays[i.item], refusals[i.item]
    from (select u.*, row_number() over (partition by item order by ord) as part
      from unnest(items, keys) with ordinality as u (item, key, ord)) i
    left join transfer t on t.key = i.key and t.part = i.part and refusals[i.item] is null
      and t.key = any (keys)
    order by i.ord;
end $$;

-- Keeps part of an account's balance for later. The same key and payload answer the first hold
-- again (the expiry is not compared: a repeated call may compute a later one).
create function ledger_hold(
  hold_key text, from_account bigint, to_account bigint, cents bigint, hold_kind text,
  hold_memo jsonb, expiry timestamptz, made_at timestamptz
) returns table (id bigint, replayed boolean) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  known hold;
begin
  perform ledger_lock(array_remove(array[from_account, to_account], null));
  insert into hold (key, debit_account, credit_account, amount, kind, memo, expires_at, at)
  values (hold_key, from_account, to_account, cents, hold_kind, hold_memo, expiry,
    coalesce(made_at, now()))
  on conflict (key) do nothing returning hold.id into id;
  replayed := id is null;
  if replayed then
    select * into known from hold where key = hold_key;
    if (known.debit_account, known.amount, known.kind) <> (from_account, cents, hold_kind)
      or known.credit_account is distinct from to_account or known.memo is distinct from hold_memo then
      perform ledger_refuse('idempotency_mismatch');
    end if;
    id := known.id;
  else
    update ledger_account a set held = held + cents where a.id = from_account;
  end if;
  return next;
end $$;

-- Spends a pending hold, whole or in part; the remainder is released. `cents` null is the whole,
-- `to_account` null is the account named when the hold was made.
create function ledger_post_hold(
  hold_id bigint, post_key text, cents bigint, to_account bigint, post_kind text,
  post_memo jsonb, made_at timestamptz
) returns table (
  ord int, id bigint, at timestamptz, debit_balance bigint, credit_balance bigint,
  debit_version bigint, credit_version bigint, replayed boolean, refused text
) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  h hold;
  posted record;
begin
  select * into strict h from hold where id = hold_id;
  to_account := coalesce(to_account, h.credit_account);
  perform ledger_lock(array[h.debit_account, to_account]);
  select * into strict h from hold where id = hold_id for update;
  cents := coalesce(cents, h.amount);
  if h.state = 'pending' then
    if h.expires_at <= coalesce(made_at, now()) then
      perform ledger_refuse('hold_closed');
    end if;
    update ledger_account a set held = held - h.amount where a.id = h.debit_account;
  elsif h.posted_key is distinct from post_key then
    perform ledger_refuse('hold_closed');
  end if;
  select * into strict posted from ledger_post(true, array[1], array[post_key], array[h.debit_account],
    array[to_account], array[cents], array[coalesce(post_kind, h.kind)],
    array[coalesce(post_memo, h.memo)], array[null::bigint], array[made_at]);
  if h.state = 'pending' then
    if posted.replayed then
      perform ledger_refuse('idempotency_mismatch');
    end if;
    update hold set state = 'posted', posted_amount = cents, posted_key = post_key,
      closed_at = posted.at where id = h.id;
  end if;
  return query select posted.ord, posted.id, posted.at, posted.debit_balance,
    posted.credit_balance, posted.debit_version, posted.credit_version, posted.replayed,
    posted.refused;
end $$;

-- Releases pending holds; those closed already are left as they are. Answers the ids released.
create function ledger_void_holds(hold_ids bigint[], made_at timestamptz)
returns setof bigint language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  owners bigint[];
begin
  select array_agg(debit_account) into owners from hold where id = any (hold_ids);
  if owners is null then
    return;
  end if;
  perform ledger_lock(owners);
  return query
    with closed as (
      update hold set state = 'voided', closed_at = coalesce(made_at, now())
      where id = any (hold_ids) and state = 'pending' returning id, debit_account, amount
    ), released as (
      update ledger_account a set held = held - s.total
      from (select debit_account, sum(amount)::bigint as total from closed
        group by debit_account) s
      where a.id = s.debit_account and a.id = any (owners)
    )
    select id from closed;
end $$;

-- What was written is sealed seconds later, by a chain of HMACs whose key the database does not hold. The
-- transaction that writes only inserts its row.
create table seal (
  chain text not null,
  seq bigint not null,
  ids bigint[] not null,
  digests bytea[] not null,
  -- Greatest id sealed so far.
  through bigint not null,
  mac bytea not null,
  sealed_at timestamptz not null,
  primary key (chain, seq),
  constraint seal_chain_known check (chain in ('audit', 'journal')),
  constraint seal_whole check (cardinality(ids) = cardinality(digests) and cardinality(ids) > 0)
);
create trigger seal_append_only before update or delete or truncate on seal
  for each statement execute function audit_is_append_only();
