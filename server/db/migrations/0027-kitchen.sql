-- Canteens and their providers, the rules and prices by which meals are ordered, menus, messages, and whom each
-- canteen feeds.

-- A partner that serves meals; its acceptance group is the one of its address.
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
  -- How it takes and cancels orders now. An order keeps what it was made under.
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
  max_per_week smallint constraint canteen_max_per_week check (max_per_week between 1 and 7),
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
  -- It holds for meals of these days: a change of prices ends one on the day before the next begins.
  from_on date,
  until_on date,
  -- Prices that are no longer offered keep their row for the orders made under them.
  ended_at timestamptz,
  constraint canteen_price_days check (from_on <= until_on)
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
  -- Null while nobody has declared whether it has any.
  allergens text[],
  -- Diets that it is made for; the other dishes of its course are not served to them.
  diets text[] not null default '{}'
    constraint canteen_dish_diets check (diets <@ array['no_pork', 'no_meat', 'vegetarian']),
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
  -- The day from which it counts: one for the next school year is asked for while the one of this year still does.
  from_on date,
  -- The end of the school year; null for staff and guests.
  until_on date,
  ended_at timestamptz,
  constraint canteen_registration_reason check ((state = 'refused') = (reason is not null))
);
-- Of those that count or wait, one person has one at a canteen for each end.
create unique index canteen_registered on canteen_registration (canteen_id, person_id, until_on)
  nulls not distinct where state in ('requested', 'accepted');
create index canteen_registration_of on canteen_registration (person_id);

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

-- What part of a year's purchases a canteen's provider declares sustainable, and organic within it: whole
-- percent of their value, as the law EGalim counts.
create table canteen_purchase_share (
  provider_id integer not null references canteen_provider (id),
  year smallint not null constraint canteen_purchase_share_year check (year between 2019 and 2199),
  sustainable smallint not null
    constraint canteen_purchase_share_sustainable check (sustainable between 0 and 100),
  organic smallint not null
    constraint canteen_purchase_share_organic check (organic between 0 and sustainable),
  written_at timestamptz not null,
  primary key (provider_id, year)
);
