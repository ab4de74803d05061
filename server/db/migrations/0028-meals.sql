-- Meals: seats of a service, orders, waiting lists, sick children, and what families are told about them.

-- Seats of a service, written by the first order of the day.
create table canteen_day (
  canteen_id uuid not null references canteen (id),
  on_day date not null,
  seats integer not null,
  taken integer not null default 0,
  -- A meal handed at the counter without an order takes a seat too; one beyond the last seat is counted as an extra
  -- one of that day, so that no family orders in its place.
  extra integer not null default 0,
  primary key (canteen_id, on_day),
  constraint meals_full check (taken <= seats + extra),
  constraint canteen_day_taken check (taken >= 0),
  constraint canteen_day_extra check (extra >= 0)
);

-- Meals chosen together and paid at once by the checkout.
create table meal_request (
  id uuid primary key default gen_random_uuid(),
  person_id bigint not null references person (id),
  provider_id integer not null references canteen_provider (id),
  state text not null default 'open' constraint meal_request_state check (state in ('open', 'paid')),
  revision integer not null default 1,
  opened_at timestamptz not null,
  paid_at timestamptz
);
create unique index meal_request_open on meal_request (person_id, provider_id) where state = 'open';

create table meal_request_line (
  request_id uuid not null references meal_request (id) on delete cascade,
  registration_id uuid not null references canteen_registration (id),
  on_day date not null,
  -- Who confirmed that a dish has an allergen of the person.
  allergens_confirmed boolean not null default false,
  primary key (request_id, registration_id, on_day)
);

create table meal_order (
  -- Position of lists, and the reference that people read aloud.
  number bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  request_id uuid references meal_request (id),
  canteen_id uuid not null references canteen (id),
  registration_id uuid not null references canteen_registration (id),
  person_id bigint not null references person (id),
  ordered_by bigint not null references person (id),
  on_day date not null,
  state text not null constraint meal_order_state check (state in
    ('reserved', 'validated', 'served', 'refused', 'cancelled', 'absent', 'expired')),
  -- Revision of its QR code.
  revision integer not null default 1,
  price_cents integer not null,
  price_reason text not null,
  -- Frozen from the rules at the order: until when it is cancelled for nothing (null: never), what it
  -- costs later, what an absence costs.
  cancel_until timestamptz,
  late_cancel_percent smallint not null,
  absence_percent smallint not null,
  wallet_id bigint references wallet (id),
  -- The holds of the ledger that keep its price, one for each lot that pays.
  hold_ids bigint[] not null default '{}',
  ordered_at timestamptz not null,
  validated_at timestamptz,
  served_at timestamptz,
  -- When it was refused, cancelled, absent or expired, and why.
  ended_at timestamptz,
  end_reason text,
  -- What it cost in the end, in cents; null while that is open.
  charged_cents integer,
  allergens_confirmed_by bigint references person (id),
  -- Since when it is to be looked at again: its menu holds what the person declared, and did not when it was
  -- ordered, or the person has declared it since. Null once somebody keeps the meal all the same.
  warned_since timestamptz
);
create unique index meal_ordered on meal_order (registration_id, on_day)
  where state in ('reserved', 'validated', 'served', 'absent');
create index meal_order_of_day on meal_order (canteen_id, on_day, number);
create index meal_order_of_person on meal_order (person_id, number desc);
create index meal_order_ordered_by on meal_order (ordered_by, number desc);
create index meal_order_open on meal_order (on_day) where state in ('reserved', 'validated');
-- Meals whose money waits for the end of their day or for a certificate.
create index meal_order_unsettled on meal_order (on_day)
  where state = 'cancelled' and charged_cents is null;
create index meal_order_warned on meal_order (person_id) where warned_since is not null;

-- Who waits for a seat of a full service, first come first offered.
create table meal_wait (
  number bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  registration_id uuid not null references canteen_registration (id),
  on_day date not null,
  requested_by bigint not null references person (id),
  state text not null default 'waiting' constraint meal_wait_state
    check (state in ('waiting', 'offered', 'taken', 'left', 'expired')),
  requested_at timestamptz not null,
  offered_until timestamptz,
  ended_at timestamptz,
  constraint meal_wait_offered check ((state = 'offered') <= (offered_until is not null))
);
create unique index meal_waiting on meal_wait (registration_id, on_day)
  where state in ('waiting', 'offered');
create index meal_wait_of_day on meal_wait (on_day, number) where state in ('waiting', 'offered');

-- A child that is ill: meals of these days cost what the rule says.
create table meal_illness (
  id uuid primary key default gen_random_uuid(),
  registration_id uuid not null references canteen_registration (id),
  from_on date not null,
  to_on date not null,
  declared_by bigint not null references person (id),
  declared_at timestamptz not null,
  state text not null default 'announced' constraint meal_illness_state check (state in
    ('announced', 'awaited', 'sent', 'refused', 'accepted', 'unproven', 'withdrawn')),
  -- Days of the canteen's own days at the family's charge that a continuation of it still has.
  paid_days_left smallint not null default 0
    constraint meal_illness_paid_days check (paid_days_left between 0 and 5),
  -- Until when the certificate may be sent; null where none is asked. Its file is attached to the illness as
  -- documents are, by its kind and id.
  certificate_until timestamptz,
  sent_at timestamptz,
  answered_at timestamptz,
  -- Why the certificate was refused: the family reads it.
  reason text,
  constraint meal_illness_order check (from_on <= to_on)
);
create index meal_illness_of on meal_illness (registration_id, to_on);
create index meal_illness_open on meal_illness (state)
  where state in ('awaited', 'sent', 'refused');

-- What an announced illness does to each meal.
create table meal_illness_meal (
  order_id uuid primary key references meal_order (id),
  illness_id uuid not null references meal_illness (id) on delete cascade,
  -- `free`: given back at once. `due`: among the days that stay due. `proof`: given back with a certificate.
  terms text not null,
  -- What it costs unless it is given back.
  cost_cents integer not null,
  constraint meal_illness_meal_terms check (terms in ('free', 'due', 'proof')),
  constraint meal_illness_meal_cost check (cost_cents >= 0)
);
create index meal_illness_meal_of on meal_illness_meal (illness_id);

-- What a person was told about their meals once for all: `about` names what it was told of.
create table meal_notice (
  person_id bigint not null references person (id),
  about text not null,
  notified_at timestamptz not null,
  primary key (person_id, about)
);

-- The secret address of the calendar of a person's meals; a new one revokes the former.
create table meal_calendar (
  person_id bigint primary key references person (id),
  secret_hash bytea not null unique,
  made_at timestamptz not null
);
