-- The canteen: providers and their canteens, the rules by which meals are ordered and priced, menus,
-- registrations, orders and what happens at the counter.

-- A partner that serves meals; its acceptance group is the one of its address (spec.md 13).
create table canteen_provider (
  id integer generated always as identity primary key,
  partner_id uuid not null unique references partner (id),
  group_id integer not null unique references acceptance_group (id)
);

create table canteen (
  id uuid primary key default gen_random_uuid(),
  provider_id integer not null references canteen_provider (id),
  name text not null,
  -- `school`: closed in the school holidays of its zone.
  kind text not null constraint canteen_kind check (kind in ('school', 'staff')),
  street text not null,
  postcode text not null constraint canteen_postcode check (postcode ~ '^\d{5}$'),
  town text not null,
  lat double precision not null constraint canteen_lat check (lat between -90 and 90),
  lon double precision not null constraint canteen_lon check (lon between -180 and 180),
  zone text not null constraint canteen_zone check (zone in ('A', 'B', 'C')),
  alsace_moselle boolean not null default false,
  -- One bit for each weekday on which it serves, Monday the lowest.
  weekdays smallint not null constraint canteen_weekdays check (weekdays between 1 and 127),
  serves_from time not null,
  serves_until time not null,
  -- Meals that one service can seat.
  seats integer not null constraint canteen_seats check (seats between 1 and 5000),
  classes text[] not null default '{}',
  -- How it takes and cancels orders now (contract/canteen/deadlines.ts). An order keeps what it was
  -- made under.
  order_deadline jsonb not null,
  cancel_deadline jsonb not null,
  -- Percent of the price that a cancellation after its deadline and an absence cost.
  late_cancel_percent smallint not null default 100
    constraint canteen_late_cancel check (late_cancel_percent between 0 and 100),
  absence_percent smallint not null default 100
    constraint canteen_absence check (absence_percent between 0 and 100),
  -- Days of an illness that are still paid.
  sick_paid_days smallint not null default 1
    constraint canteen_sick_paid_days check (sick_paid_days between 0 and 5),
  sick_certificate boolean not null default false,
  -- Meals that one person may order in a week, null for any number.
  most_a_week smallint constraint canteen_most_a_week check (most_a_week between 1 and 7),
  -- An order waits for the provider's answer before it counts.
  needs_validation boolean not null default false,
  constraint canteen_serves check (serves_from < serves_until)
);
create index canteen_of_provider on canteen (provider_id, name);

create table canteen_closing (
  id uuid primary key default gen_random_uuid(),
  canteen_id uuid not null references canteen (id),
  from_on date not null,
  to_on date not null,
  reason text not null,
  created_at timestamptz not null,
  constraint canteen_closing_order check (from_on <= to_on)
);
create index canteen_closing_of on canteen_closing (canteen_id, to_on);

-- What a meal costs: the cheapest that the person meets.
create table canteen_price (
  id uuid primary key default gen_random_uuid(),
  canteen_id uuid not null references canteen (id),
  name text not null,
  audience text not null constraint canteen_price_audience
    check (audience in ('pupil', 'staff', 'guest')),
  -- Each condition that is set must be met.
  quotient_max integer constraint canteen_price_quotient check (quotient_max between 0 and 99999),
  children_min smallint constraint canteen_price_children check (children_min between 1 and 20),
  town text,
  class text,
  price_cents integer not null constraint canteen_price_cents check (price_cents between 0 and 10000),
  -- Prices that are no longer offered keep their row for the orders made under them.
  ended_at timestamptz
);
create index canteen_price_of on canteen_price (canteen_id) where ended_at is null;

-- One menu a day for all the canteens of a provider.
create table canteen_menu (
  id uuid primary key default gen_random_uuid(),
  provider_id integer not null references canteen_provider (id),
  on_day date not null,
  -- Null while only the provider sees it.
  published_at timestamptz,
  note text not null default '',
  constraint canteen_menu_day unique (provider_id, on_day)
);
create table canteen_dish (
  id uuid primary key default gen_random_uuid(),
  menu_id uuid not null references canteen_menu (id) on delete cascade,
  place smallint not null,
  course text not null constraint canteen_dish_course
    check (course in ('starter', 'main', 'side', 'dairy', 'dessert', 'other')),
  name text not null,
  labels text[] not null default '{}',
  allergens text[] not null default '{}',
  -- Only where a dish is sold by itself.
  price_cents integer constraint canteen_dish_price check (price_cents between 0 and 10000),
  constraint canteen_dish_place unique (menu_id, place)
);
-- A week without dates, to be laid on other weeks.
create table canteen_menu_template (
  id uuid primary key default gen_random_uuid(),
  provider_id integer not null references canteen_provider (id),
  name text not null,
  -- Five to seven lists of dishes, Monday first.
  days jsonb not null,
  constraint canteen_menu_template_name unique (provider_id, name)
);

-- Who eats where.
create table canteen_registration (
  id uuid primary key default gen_random_uuid(),
  canteen_id uuid not null references canteen (id),
  person_id bigint not null references person (id),
  audience text not null constraint canteen_registration_audience
    check (audience in ('pupil', 'staff', 'guest')),
  class text not null default '',
  -- The commune where the household lives, for prices.
  town text not null default '',
  diet text not null constraint canteen_registration_diet
    check (diet in ('standard', 'no_pork', 'no_meat', 'vegetarian', 'packed')),
  -- An individual plan for health at school (PAI): the kitchen is told.
  pai boolean not null default false,
  -- Since when the desk may see the allergens and the photo; null without consent.
  allergens_consent_at timestamptz,
  photo_consent_at timestamptz,
  state text not null default 'requested' constraint canteen_registration_state
    check (state in ('requested', 'accepted', 'refused', 'ended')),
  reason text,
  requested_by bigint not null references person (id),
  requested_at timestamptz not null,
  answered_at timestamptz,
  -- The end of the school year; null for staff and guests.
  until_on date,
  ended_at timestamptz,
  constraint canteen_registration_reason check ((state = 'refused') = (reason is not null))
);
create unique index canteen_registered on canteen_registration (canteen_id, person_id)
  where state in ('requested', 'accepted');
create index canteen_registration_of on canteen_registration (person_id);

-- Seats of a service, written by the first order of the day.
create table canteen_day (
  canteen_id uuid not null references canteen (id),
  on_day date not null,
  seats integer not null,
  taken integer not null default 0,
  primary key (canteen_id, on_day),
  constraint meals_full check (taken <= seats),
  constraint canteen_day_taken check (taken >= 0)
);

-- Meals chosen together and paid at once by the checkout.
create table meal_request (
  id uuid primary key default gen_random_uuid(),
  person_id bigint not null references person (id),
  provider_id integer not null references canteen_provider (id),
  state text not null default 'open' constraint meal_request_state check (state in ('open', 'paid')),
  revision integer not null default 1,
  opened_at timestamptz not null,
  paid_at timestamptz,
  paying_since timestamptz,
  top_up_id uuid references top_up (id)
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
  allergens_confirmed_by bigint references person (id)
);
create unique index meal_ordered on meal_order (registration_id, on_day)
  where state in ('reserved', 'validated', 'served', 'absent');
create index meal_order_of_day on meal_order (canteen_id, on_day, number);
create index meal_order_of_person on meal_order (person_id, number desc);
create index meal_order_ordered_by on meal_order (ordered_by, number desc);
create index meal_order_open on meal_order (on_day) where state in ('reserved', 'validated');

-- What the counter did, one line for each scan, by the id that the device gave it: a scan that is sent
-- again is the same scan.
create table meal_scan (
  id uuid primary key,
  number bigint generated always as identity unique,
  canteen_id uuid not null references canteen (id),
  on_day date not null,
  -- Null for a code or a number that nobody has.
  person_id bigint references person (id),
  order_id uuid references meal_order (id),
  verdict text not null,
  -- How somebody without an order was served.
  walk_in text constraint meal_scan_walk_in check (walk_in in ('hold', 'cash')),
  scanned_by bigint not null references person (id),
  scanned_at timestamptz not null,
  received_at timestamptz not null,
  -- Served while offline, found otherwise by the server.
  conflict text,
  undone_at timestamptz
);
create index meal_scan_of_day on meal_scan (canteen_id, on_day, number desc);

-- Who waits for a seat of a full service, first come first offered.
create table meal_wait (
  number bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  registration_id uuid not null references canteen_registration (id),
  on_day date not null,
  asked_by bigint not null references person (id),
  state text not null default 'waiting' constraint meal_wait_state
    check (state in ('waiting', 'offered', 'taken', 'left', 'expired')),
  asked_at timestamptz not null,
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
  -- The certificate, where the rule asks for one.
  document_id uuid,
  constraint meal_illness_order check (from_on <= to_on)
);
create index meal_illness_of on meal_illness (registration_id, to_on);

-- What a provider wrote to the families of a day or of a class.
create table canteen_message (
  id uuid primary key default gen_random_uuid(),
  canteen_id uuid not null references canteen (id),
  on_day date,
  class text,
  title text not null,
  body text not null,
  sent_by bigint not null references person (id),
  sent_at timestamptz not null,
  -- People told.
  readers integer not null
);
create index canteen_message_of on canteen_message (canteen_id, sent_at desc);

-- The secret address of the calendar of a person's meals; a new one revokes the former.
create table meal_calendar (
  person_id bigint primary key references person (id),
  secret_hash bytea not null unique,
  made_at timestamptz not null
);

alter table top_up drop constraint top_up_order_kind;
alter table top_up add constraint top_up_order_kind
  check (order_kind in ('subscription', 'pass', 'tickets', 'meals'));

with opened as (
  insert into ledger_account (kind, asset, floor) values ('scheme:meals', 'EUR', 0) returning id)
insert into scheme_account (name, account_id) select 'meals', id from opened;
