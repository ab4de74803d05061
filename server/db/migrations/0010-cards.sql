-- Cards and the batches in which they are printed, holders that the operator's files brought in, a child's first
-- card.

-- Batches of cards that were printed together.
create table card_batch (
  number bigint generated always as identity primary key,
  operator text not null,
  made_at timestamptz not null
);

create table card (
  number bigint primary key
    constraint card_number check (number between 1000000000 and 2999999999),
  -- What the QR names, so that it never shows the number.
  object_id uuid not null unique default gen_random_uuid(),
  person_id bigint not null references person (id),
  state text not null constraint card_state_known check (state in (
    'requested', 'approved', 'in_production', 'shipped', 'received', 'active', 'suspended',
    'opposed', 'damaged', 'expired', 'replaced')),
  atf smallint not null generated always as (case when state in ('active', 'damaged') then 1 else 0 end) stored,
  valid_until date,
  requested_at timestamptz not null default now(),
  activated_at timestamptz,
  opposed_at timestamptz,
  opposed_why text,
  replaces bigint unique references card (number),
  batch_number bigint references card_batch (number)
);
create index card_of_person on card (person_id);
-- A person spends with one card at a time. A damaged one pays for as long as it can, until its replacement is
-- activated.
create unique index card_in_use on card (person_id) where state in ('active', 'suspended', 'damaged');
create index card_of_batch on card (batch_number) where batch_number is not null;

alter table card_join_code
  add constraint card_join_code_cardnumber_fkey foreign key (cardnumber) references card (number);

-- The card by which a person is known: the one in use, active or suspended; else the last activated one that no
-- other card has replaced, which still logs in while its replacement is awaited; else the first card, awaited.
-- One row or none. The planner inlines it into the statement that calls it, where it is a lookup by the index
-- card_of_person.
create function current_card(person bigint) returns setof card language sql stable parallel safe
rows 1 as $$
  select c.* from card c where c.person_id = person
  order by c.state in ('active', 'suspended') desc, c.state = 'replaced',
    c.activated_at desc nulls last, c.number desc
  limit 1
$$;

-- When the codes that a card had made went bad, by a suspension or an opposition: they stay bad once it is resumed.
create table card_revocation (
  object_id uuid not null,
  at timestamptz not null,
  primary key (object_id, at)
);
create index card_revocation_at on card_revocation (at);

-- Holders that the operator's files brought in, under the reference that the file gives each.
create table holder_reference (
  reference text primary key
    constraint holder_reference_form check (reference ~ '^[A-Za-z0-9][A-Za-z0-9._/-]{0,39}$'),
  person_id bigint not null unique references person (id),
  at timestamptz not null
);

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
  requested_at timestamptz not null,
  answered_at timestamptz,
  constraint first_card_request_reason check ((state = 'refused') = (reason is not null)),
  constraint first_card_request_person check ((state = 'approved') = (person_id is not null))
);
create unique index first_card_requested on first_card_request (guardian_id, lower(name), born_on)
  where state = 'open';
