-- Memberships: a person asks that their company joins a service.

create table membership (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  service text not null references service (code),
  person_id bigint not null references person (id),
  state text not null constraint membership_state check (state in
    ('draft', 'submitted', 'review', 'clarification', 'approved', 'rejected')),
  -- Counts the writes: a screen that read an older one is refused.
  version integer not null default 1,
  siret text not null constraint membership_siret check (siret ~ '^\d{14}$'),
  company_name text not null,
  legal_form text not null,
  street text not null,
  postcode text not null,
  town text not null,
  owes_vat boolean not null,
  category_id text not null references partner_category (id),
  representative text,
  representative_function text,
  email text,
  phonenumber text,
  -- The phone or e-mail to which a code was sent and given back.
  proved_address text,
  -- In clarification: the parts to write again.
  requested_parts text[] not null default '{}',
  reason text,
  cardnumber bigint,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  submitted_at timestamptz,
  decided_at timestamptz,
  constraint membership_representative check (num_nulls(representative, representative_function,
    email, phonenumber) in (0, 4)),
  constraint membership_decision check ((state in ('approved', 'rejected')) = (decided_at is not null)
    and (state = 'rejected') = (reason is not null))
);
-- One request of a person for a service, and one that was sent for a company, whoever asked.
create unique index membership_changed on membership (person_id, service)
  where state not in ('approved', 'rejected');
create unique index membership_company_open on membership (left(siret, 9), service)
  where state in ('submitted', 'review', 'clarification');
create index membership_waiting on membership (number) where state in ('submitted', 'review');

-- What the operator asked and the person answered, in the order of time.
create table membership_exchange (
  id uuid primary key default gen_random_uuid(),
  membership_id uuid not null references membership (id) on delete cascade,
  at timestamptz not null,
  from_operator boolean not null,
  text text not null,
  parts text[] not null default '{}'
);
create index membership_exchange_membership on membership_exchange (membership_id, at);
