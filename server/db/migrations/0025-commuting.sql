-- What an employer pays of the passes of its employees: the share that it chose, whom it enrolled, and what
-- it paid of which pass.

create table commuting_plan (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references company (id),
  service_id uuid not null references transport_service (id),
  employer_percent smallint not null,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  unique (company_id, service_id),
  -- The legal minimum is half.
  constraint commuting_plan_percent check (employer_percent between 50 and 100)
);

create table commuting_enrolment (
  id uuid primary key default gen_random_uuid(),
  -- The order of lists.
  number bigint generated always as identity unique,
  plan_id uuid not null references commuting_plan (id),
  state text not null,
  -- As payroll knows the employee; the portal tells nothing of the holder.
  name text not null,
  staff_number text,
  -- As it was typed: whether anybody has it is not looked at before its holder answers.
  cardnumber bigint not null,
  holder_id bigint references person (id),
  invited_by bigint not null references person (id),
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  suspended_at timestamptz,
  ended_at timestamptz,
  ended_by text,
  constraint commuting_enrolment_states check (state in
    ('invited', 'active', 'suspended', 'declined', 'withdrawn', 'expired', 'ended')),
  constraint commuting_enrolment_holder check (
    (holder_id is not null) = (state in ('active', 'suspended', 'ended'))),
  constraint commuting_enrolment_ended check (
    (ended_at is not null) = (state in ('declined', 'withdrawn', 'expired', 'ended'))),
  constraint commuting_enrolment_ended_by check (ended_by in ('company', 'holder'))
);
create unique index commuting_enrolled on commuting_enrolment (plan_id, cardnumber)
  where state in ('invited', 'active', 'suspended');
-- One employer at a time pays for a person.
create unique index commuting_other on commuting_enrolment (holder_id)
  where state in ('active', 'suspended');
create index commuting_enrolment_invited on commuting_enrolment (cardnumber) where state = 'invited';
create index commuting_enrolment_plan on commuting_enrolment (plan_id, number);

-- A month of a company, closed once: what it owes for the passes bought in it.
create table commuting_statement (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references company (id),
  -- Its first day.
  month date not null,
  purchases integer not null,
  employer_cents bigint not null,
  -- What the month before could not invoice: a cent at most, that no amount with VAT reaches.
  carried_cents bigint not null default 0,
  invoiced_cents bigint not null default 0,
  -- Of what was paid of the invoice, what has settled the shares in the ledger.
  cleared_cents bigint not null default 0,
  invoice_id uuid references invoice (id),
  issued_at timestamptz not null,
  unique (company_id, month),
  constraint commuting_statement_cleared check (cleared_cents between 0 and invoiced_cents)
);

create table commuting_purchase (
  order_id uuid primary key references pass_order (id),
  number bigint generated always as identity unique,
  enrolment_id uuid not null references commuting_enrolment (id),
  product_name text not null,
  kind text not null,
  first_day date not null,
  last_day date not null,
  price_cents bigint not null,
  employer_cents bigint not null,
  employer_percent smallint not null,
  bought_at timestamptz not null,
  statement_id uuid references commuting_statement (id),
  constraint commuting_purchase_share check (employer_cents > 0 and employer_cents <= price_cents),
  constraint commuting_purchase_kind check (kind in ('month', 'year'))
);
create index commuting_purchase_enrolment on commuting_purchase (enrolment_id, first_day);
create index commuting_purchase_open on commuting_purchase (bought_at) where statement_id is null;
