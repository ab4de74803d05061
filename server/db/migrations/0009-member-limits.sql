-- What a guardian lets a child's card spend: by day, by week, and where.

create table member_limit (
  person_id bigint primary key references person (id),
  day_cents bigint constraint member_limit_day check (day_cents >= 0),
  week_cents bigint constraint member_limit_week check (week_cents >= 0),
  -- Acceptance groups where the card pays; null is everywhere.
  groups integer[] constraint member_limit_groups check (cardinality(groups) > 0),
  set_by bigint not null references person (id),
  set_at timestamptz not null,
  constraint limit_order check (day_cents is null or week_cents is null or day_cents <= week_cents),
  constraint member_limit_some check (num_nonnulls(day_cents, week_cents, groups) > 0)
);

-- What a person spent by themselves since the day and the week began, days being days in Paris:
-- purchases, meals, and money that they sent.
create function member_spent(person bigint, until timestamptz, out day_cents bigint,
    out week_cents bigint)
language sql stable as $$
  with since as (
    select date_trunc('day', until at time zone 'Europe/Paris') at time zone 'Europe/Paris' as day,
      date_trunc('week', until at time zone 'Europe/Paris') at time zone 'Europe/Paris' as week),
  spent as (
    select t.at, t.amount
      from wallet w join wallet_lot l on l.wallet_id = w.id join transfer t on t.debit = l.account_id
     where w.person_id = person and t.kind in ('purchase', 'meal')
       and t.at >= (select week from since)
    union all
    select s.at, s.amount_cents
      from wallet w join wallet_transfer s on s.from_wallet = w.id
     where w.person_id = person and s.person_id = person and s.at >= (select week from since))
  select coalesce(sum(amount) filter (where at >= (select day from since)), 0)::bigint,
    coalesce(sum(amount), 0)::bigint from spent
$$;

-- The refusal of what a person is about to spend, null when it may be. Locks the limit, so that of two
-- payments at once the second counts the first. `place` null is a transfer, which happens nowhere.
create function member_refusal(person bigint, wanted bigint, place integer, moment timestamptz)
returns text language plpgsql as $$
declare
  kept member_limit;
  spent record;
begin
  select * into kept from member_limit where person_id = person for no key update;
  if not found then return null; end if;
  if kept.groups is not null and (place is null or not place = any (kept.groups)) then
    return 'limit_place';
  end if;
  select * into spent from member_spent(person, moment);
  if spent.day_cents + wanted > kept.day_cents then return 'limit_day'; end if;
  if spent.week_cents + wanted > kept.week_cents then return 'limit_week'; end if;
  return null;
end $$;

-- A transfer that the holder of a wallet makes. What a guardian sends from it is the guardian's doing.
create function wallet_transfer_within_limits() returns trigger language plpgsql as $$
declare
  holder bigint;
  refusal text;
begin
  select person_id into holder from wallet where id = new.from_wallet;
  if holder <> new.person_id then return new; end if;
  refusal := member_refusal(holder, new.amount_cents, null, new.at);
  if refusal is not null then
    raise exception 'beyond the limits of the card' using errcode = '23514', constraint = refusal;
  end if;
  return new;
end $$;
create trigger wallet_transfer_within_limits before insert on wallet_transfer
  for each row execute function wallet_transfer_within_limits();
