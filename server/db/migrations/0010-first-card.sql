-- A child's first card: asked by a guardian, answered by the operator.

create table first_card_request (
  -- What the operator types.
  number bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  guardian_id bigint not null references person (id),
  name text not null,
  born_on date not null,
  state text not null default 'open' constraint first_card_request_state
    check (state in ('open', 'approved', 'refused', 'withdrawn')),
  reason text,
  person_id bigint references person (id),
  asked_at timestamptz not null,
  answered_at timestamptz,
  constraint first_card_request_reason check ((state = 'refused') = (reason is not null)),
  constraint first_card_request_person check ((state = 'approved') = (person_id is not null))
);
create unique index first_card_asked on first_card_request (guardian_id, lower(name), born_on)
  where state = 'open';
