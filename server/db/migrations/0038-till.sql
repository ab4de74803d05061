-- What a partner grants and takes, version by version: a sale keeps the discount of its day.
create table partner_terms (
  partner_id uuid not null references partner (id) on delete cascade,
  version integer not null,
  discount_percent smallint not null
    constraint partner_terms_discount check (discount_percent between 0 and 90),
  written_by text not null,
  from_at timestamptz not null,
  primary key (partner_id, version)
);

-- Sales at the counter. The id is the till's, so that a repeated call is one sale.
create table till_sale (
  id uuid primary key,
  partner_id uuid not null references partner (id),
  cashier_id bigint not null references person (id),
  holder_id bigint not null references person (id),
  cardnumber bigint not null references card (number),
  wallet_id bigint references wallet (id),
  state text not null constraint till_sale_state check (state in
    ('asked', 'paid', 'cancelled', 'refunded', 'declined', 'withdrawn', 'expired')),
  amount_cents integer not null constraint till_sale_amount check (amount_cents > 0),
  discount_cents integer not null
    constraint till_sale_discount check (discount_cents between 0 and amount_cents),
  refunded_cents integer not null default 0
    constraint till_sale_refunded check (refunded_cents between 0 and amount_cents - discount_cents),
  label text,
  -- Since when the QR that was read is good: one QR pays one sale.
  code_from timestamptz,
  asked_at timestamptz not null,
  expires_at timestamptz,
  paid_at timestamptz,
  ended_at timestamptz,
  -- The closing of the counter that counted it.
  closing integer,
  constraint till_sale_paid
    check ((state in ('paid', 'cancelled', 'refunded')) = (paid_at is not null and wallet_id is not null)),
  constraint till_code_used unique (cardnumber, code_from)
);
create index till_sale_of on till_sale (partner_id, asked_at desc, id);
create unique index till_waiting on till_sale (partner_id, holder_id) where state = 'asked';
create index till_sale_asked on till_sale (holder_id) where state = 'asked';
create index till_sale_open on till_sale (partner_id) where closing is null and paid_at is not null;

-- What was given back: the whole within the quarter of an hour, parts later.
create table till_return (
  sale_id uuid not null references till_sale (id),
  place smallint not null,
  amount_cents integer not null constraint till_return_amount check (amount_cents > 0),
  by_id bigint not null references person (id),
  at timestamptz not null,
  closing integer,
  primary key (sale_id, place)
);
create index till_return_open on till_return (sale_id) where closing is null;

create table till_closing (
  partner_id uuid not null references partner (id),
  number integer not null,
  from_at timestamptz,
  until_at timestamptz not null,
  closed_by bigint not null references person (id),
  totals jsonb not null,
  primary key (partner_id, number)
);

with opened as (
  insert into ledger_account (kind, asset, floor) values ('scheme:tills', 'EUR', 0) returning id)
insert into scheme_account (name, account_id) select 'tills', id from opened;
