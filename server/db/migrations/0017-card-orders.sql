-- The order of pro cards: its prices, its draft step by step, its way to the delivery.

-- The unit price from so many cards on, in cents without VAT.
create table card_price (
  from_quantity integer primary key constraint card_price_from check (from_quantity between 1 and 200),
  unit_cents integer not null constraint card_price_unit check (unit_cents between 0 and 100000)
);
insert into card_price (from_quantity, unit_cents) values (1, 490), (10, 390), (50, 290), (100, 240);

-- What else an order costs: one row.
create table card_order_terms (
  one_row boolean primary key default true constraint card_order_terms_one check (one_row),
  delivery_cents integer not null constraint card_order_terms_delivery
    check (delivery_cents between 0 and 100000),
  free_delivery_from integer constraint card_order_terms_free check (free_delivery_from >= 1),
  -- The code of a VAT rate.
  vat text not null
);
insert into card_order_terms (delivery_cents, free_delivery_from, vat) values (990, 50, 'normal');

create table card_order (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  company_id uuid not null references company (id),
  -- Who wrote it last, then who ordered.
  person_id bigint not null references person (id),
  state text not null constraint card_order_state check (state in
    ('draft', 'ordered', 'in_production', 'shipped', 'delivered', 'cancelled')),
  -- Counts the writes: a screen that read an older one is refused.
  revision integer not null default 1,
  blank integer not null default 0 constraint card_order_blank check (blank between 0 and 200),
  label text,
  ink text constraint card_order_ink check (ink in ('lagoon', 'reef', 'dune', 'dusk')),
  prints_names boolean,
  deliver_to text constraint card_order_deliver_to check (deliver_to in ('company', 'other')),
  recipient text,
  street text,
  postcode text,
  town text,
  -- As it was ordered.
  price jsonb,
  paid_by text constraint card_order_paid_by check (paid_by in ('checkout', 'invoice')),
  wallet_id bigint references wallet (id),
  invoice_id uuid references invoice (id),
  batch_number bigint references card_batch (number),
  printer_reference text,
  carrier text,
  tracking text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  ordered_at timestamptz,
  produced_at timestamptz,
  acknowledged_at timestamptz,
  shipped_at timestamptz,
  delivered_at timestamptz,
  cancelled_at timestamptz,
  constraint card_order_design check (num_nulls(label, ink, prints_names) in (0, 3)),
  constraint card_order_delivery
    check (num_nulls(deliver_to, recipient, street, postcode, town) in (0, 5)),
  constraint card_order_ordered check ((state = 'draft') = (ordered_at is null)
    and (state = 'draft') = (price is null) and (state = 'draft') = (paid_by is null)
    and (state = 'draft' or (label is not null and street is not null))),
  constraint card_order_shipped check ((state in ('shipped', 'delivered')) = (shipped_at is not null))
);
create unique index card_order_draft on card_order (company_id) where state = 'draft';
create index card_order_company on card_order (company_id, number) where state <> 'draft';
create index card_order_waiting on card_order (number)
  where state in ('ordered', 'in_production', 'shipped');

-- Who gets a card of an order, in the order in which they were written.
create table card_order_person (
  order_id uuid not null references card_order (id) on delete cascade,
  place integer not null,
  first_name text not null,
  last_name text not null,
  email text,
  phonenumber text,
  primary key (order_id, place)
);

alter table pro_card
  add constraint pro_card_order_id_fkey foreign key (order_id) references card_order (id);
