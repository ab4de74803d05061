-- Somebody of 18 decides alone about their card. A tie of role `child` is one of a relative from the day of the
-- member's 18th birthday in Paris on, whether or not the daily routine has written it yet.
create function of_age(born date) returns boolean language sql stable parallel safe
return born <= (paris_day(now()) - interval '18 years');

create function current_ties() returns table (guardian_id bigint, member_id bigint, role text, since date)
language sql stable parallel safe as $$
  select t.guardian_id, t.member_id,
    case when t.role = 'child' and of_age(member.born_on) then 'relative' else t.role end, t.since
  from family_tie t join person member on member.id = t.member_id
$$;

-- When child and guardian were told of the birthday that ends the guardian's part.
alter table family_tie add column birthday_told_at timestamptz;

create or replace function custodian_on(child bigint, day date) returns bigint language sql stable as $$
  with guardian as materialized (
    select guardian_id as id from current_ties() where member_id = child and role = 'child')
  select case when (select count(*) from guardian) < 2 then (select id from guardian) else (
    select case
        when c.kind = 'weeks' and extract(week from day)::int % 2 = 1 then c.second_id
        when c.kind = 'halves' and day - c.from_on >= (c.to_on - c.from_on + 2) / 2 then c.second_id
        else c.first_id end
      from custody c
     where c.child_id = child and c.state = 'agreed' and c.from_on <= day
       and (c.to_on is null or day <= c.to_on)
       and c.first_id in (select id from guardian)
       and (c.second_id is null or c.second_id in (select id from guardian))
     order by c.to_on is null, c.answered_at desc, c.number desc limit 1) end
$$;

-- The limits that count now: those of a guardian end with the guardian's part; those of a pro card do not.
create function limit_counts(person bigint) returns boolean language sql stable
return not exists (select from person p where p.id = $1 and p.type = 1 and of_age(p.born_on));

create or replace function member_refusal(person bigint, wanted bigint, place integer, moment timestamptz)
returns text language plpgsql as $$
declare
  kept member_limit;
  spent record;
begin
  select * into kept from member_limit where person_id = person for no key update;
  if not found or not limit_counts(person) then return null; end if;
  if kept.groups is not null and (place is null or not place = any (kept.groups)) then
    return 'limit_place';
  end if;
  select * into spent from member_spent(person, moment);
  if spent.day_cents + wanted > kept.day_cents then return 'limit_day'; end if;
  if spent.week_cents + wanted > kept.week_cents then return 'limit_week'; end if;
  return null;
end $$;
