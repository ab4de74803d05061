-- Bus fares and passes: what a line group sells, who is buying, the rights to ride, and what controls said.

-- A group of lines that sells passes: an acceptance group like any other.
create table fare_group (
  group_id integer primary key references acceptance_group (id),
  lead text not null,
  -- The company that runs the network: what its passes bring is owed to it. Null where the scheme runs it.
  company_id uuid references company (id),
  -- Since when: what was sold before is not owed to it. Null: from the beginning.
  company_since timestamptz
);

create table fare_product (
  id text primary key constraint fare_product_id check (id ~ '^[a-z0-9-]{1,60}$'),
  group_id integer not null references fare_group (group_id),
  place integer not null,
  kind text not null constraint fare_product_kind
    check (kind in ('single', 'day', 'month', 'year', 'school')),
  name text not null,
  lead text not null,
  price_cents bigint not null constraint fare_product_price check (price_cents >= 0),
  -- How long a single ticket rides.
  minutes integer constraint fare_product_minutes check (minutes between 10 and 1440),
  youngest smallint,
  oldest smallint,
  students_only boolean not null,
  needs_stop boolean not null,
  needs_photo boolean not null,
  -- MM-DD: asked after this day, the pass of the school year bears the late fee.
  late_after text constraint fare_product_late_after check (late_after ~ '^\d\d-\d\d$'),
  late_fee_cents bigint not null constraint fare_product_late_fee check (late_fee_cents >= 0),
  max_suspended_days smallint not null,
  free_duplicates smallint not null,
  duplicate_fee_cents bigint not null constraint fare_product_duplicate
    check (duplicate_fee_cents >= 0),
  on_sale boolean not null,
  constraint fare_product_single check ((kind = 'single') = (minutes is not null)),
  constraint fare_product_late check (late_after is null or kind = 'school')
);
create index fare_product_of_group on fare_product (group_id, place);

-- A lower price and for whom: the lowest that applies is paid, and its label says why.
create table fare_reduction (
  product_id text not null references fare_product (id) on delete cascade,
  place integer not null,
  label text not null,
  price_cents bigint not null constraint fare_reduction_price check (price_cents >= 0),
  youngest smallint,
  oldest smallint,
  students_only boolean not null,
  quotient_up_to integer,
  primary key (product_id, place)
);

create table pass_order (
  id uuid primary key,
  -- What the operator types.
  number bigint generated always as identity unique,
  person_id bigint not null references person (id),
  holder_id bigint not null references person (id),
  product_id text not null references fare_product (id),
  state text not null constraint pass_order_states
    check (state in ('draft', 'awaiting_payment', 'paid', 'cancelled')),
  -- Each change of what is asked: who pays says which one was shown.
  revision integer not null default 1,
  start_on date,
  stop_id text,
  stop_name text,
  photo_id uuid,
  wallet_id bigint references wallet (id),
  -- Frozen when the payment begins.
  full_cents bigint,
  price_cents bigint,
  price_reason text,
  late_fee_cents bigint,
  -- The part of the price that an employer pays, frozen with the price.
  employer_cents bigint not null default 0,
  employer_percent smallint,
  employer_name text,
  employer_enrolment uuid,
  exemption text not null default 'none' constraint pass_order_exemption
    check (exemption in ('none', 'requested', 'accepted', 'refused')),
  exemption_reason text,
  exemption_requested_at timestamptz,
  exemption_answer text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  paid_at timestamptz,
  constraint pass_order_paid check ((state = 'paid') = (paid_at is not null)),
  constraint pass_order_frozen check (
    state in ('draft', 'cancelled') or (price_cents is not null and late_fee_cents is not null)),
  constraint pass_order_employer check (
    (employer_cents = 0 and employer_percent is null and employer_name is null
      and employer_enrolment is null)
    or (employer_cents > 0 and employer_cents <= price_cents and employer_percent is not null
      and employer_name is not null and employer_enrolment is not null))
);
-- One purchase of a product at a time: another tab, another day, finds it again.
create unique index pass_order_open on pass_order (person_id, product_id)
  where state in ('draft', 'awaiting_payment');
create index pass_order_exemptions on pass_order (number) where exemption = 'requested';

create table pass (
  id uuid primary key,
  holder_id bigint not null references person (id),
  order_id uuid not null references pass_order (id),
  product_id text not null references fare_product (id),
  name text not null,
  state text not null constraint pass_states
    check (state in ('pending', 'active', 'suspended', 'expired', 'replaced')),
  valid_from timestamptz not null,
  -- The first instant at which it rides no more.
  valid_until timestamptz not null,
  stop_id text,
  stop_name text,
  -- Of the QR code: an older one is refused.
  qr_revision integer not null default 1,
  suspended_on date,
  -- Of the suspensions that are over.
  suspended_days integer not null default 0,
  duplicates integer not null default 0,
  replaces uuid constraint pass_replaced_once unique references pass (id),
  -- Of the call that asked for this duplicate.
  idempotency_key text,
  reminded_at timestamptz,
  created_at timestamptz not null,
  constraint pass_validity check (valid_until > valid_from),
  constraint pass_suspended check ((state = 'suspended') = (suspended_on is not null))
);
create unique index pass_of_order on pass (order_id) where replaces is null;
create index pass_of_holder on pass (holder_id, valid_until);
create index pass_to_move on pass (valid_from, valid_until)
  where state in ('pending', 'active', 'suspended');

-- What was said of a pass that was controlled. It tells where somebody was: kept for two days.
create table pass_control (
  id uuid primary key,
  pass_id uuid not null references pass (id),
  company_id uuid not null references company (id),
  by_id bigint not null references person (id),
  at timestamptz not null,
  verdict text not null constraint pass_control_verdict check (
    verdict in ('valid', 'early', 'expired', 'suspended', 'replaced', 'code_old', 'card'))
);
create index pass_control_company on pass_control (company_id, at desc);
create index pass_control_pass on pass_control (pass_id, company_id, at desc);
create index pass_control_at on pass_control (at);
