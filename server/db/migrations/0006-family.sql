-- Family ties, how one joins a family, with which guardian a child is, and what a guardian lets a card spend.

create table family_tie (
  guardian_id bigint not null references person (id),
  member_id bigint not null references person (id),
  role text not null constraint family_role check (role in ('child', 'relative')),
  since date not null default current_date,
  -- When child and guardian were told of the birthday that ends the guardian's part.
  birthday_notified_at timestamptz,
  primary key (guardian_id, member_id),
  constraint family_not_oneself check (guardian_id <> member_id)
);
create index family_of_member on family_tie (member_id);

-- A tie of role `child` is one of a relative from the day of the member's 18th birthday in Paris on, whether or
-- not the daily routine has written it yet.
create function current_ties() returns table (guardian_id bigint, member_id bigint, role text, since date)
language sql stable parallel safe as $$
  select t.guardian_id, t.member_id,
    case when t.role = 'child' and of_age(member.born_on) then 'relative' else t.role end, t.since
  from family_tie t join person member on member.id = t.member_id
$$;

-- Joining a family: invitations that the other side accepts.
create table family_invitation (
  id uuid primary key,
  inviter_id bigint not null references person (id),
  -- As typed. Nobody may learn from an invitation whether the card exists.
  cardnumber bigint,
  -- Offered by a link instead: a digest of its secret. Whoever opens the link first takes it for their card.
  secret_hash bytea,
  invitee_id bigint references person (id),
  role text not null constraint family_invitation_role check (role in ('child', 'relative', 'guardian')),
  -- Of whom the invited person becomes a guardian.
  child_id bigint references person (id),
  state text not null default 'open' constraint family_invitation_state
    check (state in ('open', 'accepted', 'declined', 'cancelled', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  answered_at timestamptz,
  answered_by bigint references person (id),
  constraint family_invitation_child check ((role = 'guardian') = (child_id is not null)),
  constraint family_invitation_to check (cardnumber is not null or secret_hash is not null)
);
create unique index family_invited on family_invitation
  (inviter_id, cardnumber, role, coalesce(child_id, 0)) where state = 'open';
create index family_invitation_received on family_invitation (invitee_id) where state = 'open';
create unique index family_invitation_secret on family_invitation (secret_hash);

-- The code printed in the letter of a card, for those without a phone; a new one takes the place of the last. The
-- foreign key follows with the cards (0010).
create table card_join_code (
  cardnumber bigint primary key,
  hmac bytea not null,
  made_at timestamptz not null,
  used_at timestamptz
);

-- How often a person tried printed codes in a day, whatever the card.
create table family_join_try (
  person_id bigint not null references person (id),
  day date not null,
  tries integer not null,
  primary key (person_id, day)
);

-- With whom a child is: what two guardians agreed on.
create table custody (
  number bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  child_id bigint not null references person (id),
  kind text not null constraint custody_kind check (kind in ('weeks', 'usual', 'days', 'halves')),
  state text not null default 'proposed' constraint custody_state
    check (state in ('proposed', 'agreed', 'declined', 'withdrawn')),
  -- `weeks`: the even weeks. `usual`, `days`: all. `halves`: the first half.
  first_id bigint not null references person (id),
  -- `weeks`: the odd weeks. `halves`: the second half.
  second_id bigint references person (id),
  from_on date not null,
  -- The last day; none for what goes on until something else is agreed.
  to_on date,
  proposed_by bigint not null references person (id),
  proposed_to bigint not null references person (id),
  proposed_at timestamptz not null,
  answered_at timestamptz,
  constraint custody_second check ((kind in ('weeks', 'halves')) = (second_id is not null)),
  constraint custody_last check ((kind in ('days', 'halves')) = (to_on is not null)),
  constraint custody_order check (to_on >= from_on),
  constraint custody_two check (proposed_by <> proposed_to and first_id <> second_id),
  constraint custody_answered_at check ((state = 'proposed') = (answered_at is null))
);
-- One rule, and one proposal for the same days, wait for their answer.
create unique index custody_waiting on custody
  (child_id, coalesce(to_on, '-infinity'), (case when to_on is null then '-infinity' else from_on end))
  where state = 'proposed';
create index custody_of on custody (child_id, number desc);

-- With whom a child is on a day: its only guardian, else what was agreed last, days before the rule.
-- Null when two guardians agreed on nothing. What names somebody who is no guardian any more is as if
-- it had not been agreed.
create function custodian_on(child bigint, day date) returns bigint language sql stable as $$
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

-- The limits that count now: those of a guardian end with the guardian's part; those of a pro card do not.
create function limit_counts(person bigint) returns boolean language sql stable
return not exists (select from person p where p.id = $1 and p.type = 1 and of_age(p.born_on));
