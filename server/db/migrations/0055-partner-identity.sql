-- The name or the address that an owner asks for a sheet: holders read it once the operator has approved it.
create table partner_identity_request (
  number bigint generated always as identity primary key,
  partner_id uuid not null references partner (id),
  asked_by bigint not null references person (id),
  asked_at timestamptz not null,
  name text not null,
  street text not null,
  postcode text not null constraint partner_identity_postcode check (postcode ~ '^\d{5}$'),
  town text not null,
  state text not null default 'waiting' constraint partner_identity_state
    check (state in ('waiting', 'approved', 'refused', 'withdrawn')),
  -- Why it was refused.
  why text,
  answered_at timestamptz,
  constraint partner_identity_answered check ((state = 'waiting') = (answered_at is null)
    and (state = 'refused') = (why is not null))
);
create unique index partner_identity_waiting on partner_identity_request (partner_id)
  where state = 'waiting';
create index partner_identity_of on partner_identity_request (partner_id, number desc);
create index partner_identity_by on partner_identity_request (asked_by);
