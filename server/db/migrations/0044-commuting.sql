-- What an employer pays of the passes of its employees: the share that it chose, whom it enrolled, and what
-- it paid of which pass.

-- Of the fares on sale, those that a transport service of employers grants.
alter table transport_service add column products text[] not null default '{}';

-- The part of the price that an employer pays, frozen with the price.
alter table pass_order
  add column employer_cents bigint not null default 0,
  add column employer_percent smallint,
  add column employer_name text,
  add column employer_enrolment uuid,
  add constraint pass_order_employer check (
    (employer_cents = 0 and employer_percent is null and employer_name is null
      and employer_enrolment is null)
    or (employer_cents > 0 and employer_cents <= price_cents and employer_percent is not null
      and employer_name is not null and employer_enrolment is not null));

create table commuting_plan (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references company (id),
  service_id uuid not null references transport_service (id),
  employer_percent smallint not null,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  unique (company_id, service_id),
  -- The legal minimum (contract/commuting/law.ts).
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
  issued_at timestamptz not null,
  unique (company_id, month)
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

-- What employers owe for the passes of their employees: below zero until they have paid.
with opened as (
  insert into ledger_account (kind, asset, floor) values ('scheme:employers', 'EUR', null) returning id)
insert into scheme_account (name, account_id) select 'employers', id from opened;
