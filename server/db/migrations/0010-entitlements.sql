-- What gives a person rights: papers that the operator validates, and with which
-- guardian a child is.

-- A paper sent to the operator: the family quotient of a household, or what a person is entitled by.
create table proof (
  -- What the operator types.
  number bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  -- Whose right it is: the one who declares, for a quotient; else oneself or a child.
  person_id bigint not null references person (id),
  sent_by bigint not null references person (id),
  kind text not null constraint proof_kind
    check (kind in ('quotient', 'schooling', 'disability', 'home', 'identity')),
  state text not null default 'waiting' constraint proof_state
    check (state in ('waiting', 'validated', 'refused', 'withdrawn')),
  quotient integer,
  born_on date,
  -- The dates that the paper bears.
  written_on date,
  expires_on date,
  -- The days on which it counts, once validated; without a last day it counts for ever.
  valid_from date,
  valid_until date,
  reason text,
  sent_at timestamptz not null,
  answered_at timestamptz,
  renewal_asked_at timestamptz,
  constraint proof_quotient check ((kind = 'quotient') = (quotient is not null)),
  constraint proof_quotient_bounds check (quotient between 0 and 99999),
  constraint proof_valid check ((state = 'validated') = (valid_from is not null)),
  constraint proof_reason check ((state = 'refused') = (reason is not null)),
  constraint proof_answered_at check ((state = 'waiting') = (answered_at is null))
);
-- One of a kind waits for its answer.
create unique index proof_waiting on proof (person_id, kind) where state = 'waiting';
create index proof_of on proof (person_id, kind, number desc);
create index proof_ends on proof (valid_until) where state = 'validated';

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
    select guardian_id as id from family_tie where member_id = child and role = 'child')
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
