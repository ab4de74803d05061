-- What a child's card may still spend counts what came back: a sale of the same week that was refunded, or that an
-- operator undid, uses up no limit. Few transfers are of these kinds, and most wallets have none in a week.
create index transfer_given_back on transfer (credit_account, at)
  where kind in ('refund', 'correction');

create or replace function member_spent(person bigint, until timestamptz,
  out day_cents bigint, out week_cents bigint)
language sql stable as $$
  with since as (
    select date_trunc('day', until at time zone 'Europe/Paris') at time zone 'Europe/Paris' as day,
      date_trunc('week', until at time zone 'Europe/Paris') at time zone 'Europe/Paris' as week),
  spent as (
    select t.at, t.amount
      from wallet w join wallet_lot l on l.wallet_id = w.id join transfer t on t.debit_account = l.account_id
     where w.person_id = person and t.kind in ('purchase', 'meal')
       and t.at >= (select week from since)
    union all
    -- Counted on the day of what it gives back.
    select t.at, -b.amount
      from wallet w join wallet_lot l on l.wallet_id = w.id
      join transfer b on b.credit_account = l.account_id and b.kind in ('refund', 'correction')
        and b.at >= (select week from since)
      cross join lateral (
        select o.at, o.debit_account, o.kind from transfer o where o.id = b.reverses
        union all
        select o.at, o.debit_account, o.kind from transfer o
         where o.key = substring(b.key from '^(.*):refund:[0-9]+$')) t
     where w.person_id = person and t.debit_account = l.account_id and t.kind in ('purchase', 'meal')
       and t.at >= (select week from since)
    union all
    select s.at, s.amount_cents
      from wallet w join wallet_transfer s on s.from_wallet = w.id
     where w.person_id = person and s.person_id = person and s.at >= (select week from since))
  select coalesce(sum(amount) filter (where at >= (select day from since)), 0)::bigint,
    coalesce(sum(amount), 0)::bigint from spent
$$;

-- Since when a company runs a network: what was sold before is not owed to it. Null: from the beginning.
alter table fare_group add column company_since timestamptz;
