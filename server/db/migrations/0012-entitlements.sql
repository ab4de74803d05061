-- What gives a person rights: papers that the operator validates.

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
  renewal_requested_at timestamptz,
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
