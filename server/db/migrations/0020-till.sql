-- Sales at the counters of partners, returns, closings, charges made without network, and points.

-- The id is the till's, so that a repeated call is one sale.
create table till_sale (
  id uuid primary key,
  partner_id uuid not null references partner (id),
  cashier_id bigint not null references person (id),
  holder_id bigint not null references person (id),
  cardnumber bigint not null references card (number),
  wallet_id bigint references wallet (id),
  state text not null constraint till_sale_state check (state in
    ('requested', 'paid', 'cancelled', 'refunded', 'declined', 'withdrawn', 'expired')),
  amount_cents integer not null constraint till_sale_amount check (amount_cents > 0),
  discount_cents integer not null
    constraint till_sale_discount check (discount_cents between 0 and amount_cents),
  refunded_cents integer not null default 0
    constraint till_sale_refunded check (refunded_cents between 0 and amount_cents - discount_cents),
  label text,
  -- Charged without network.
  offline boolean not null default false,
  -- The rate of the sale's day, the points that its discount took (they are part of discount_cents), and
  -- those it gave: null until they settle.
  points_per_euro smallint not null default 0,
  points_used integer not null default 0
    constraint till_sale_points_used check (points_used between 0 and discount_cents),
  points_earned integer default 0
    constraint till_sale_points_earned check (points_earned >= 0),
  -- Since when the QR that was read is good: one QR pays one sale.
  code_from timestamptz,
  requested_at timestamptz not null,
  expires_at timestamptz,
  paid_at timestamptz,
  ended_at timestamptz,
  -- The closing of the counter that counted it.
  closing integer,
  constraint till_sale_paid
    check ((state in ('paid', 'cancelled', 'refunded')) = (paid_at is not null and wallet_id is not null)),
  constraint till_code_used unique (cardnumber, code_from)
);
create index till_sale_of on till_sale (partner_id, requested_at desc, id);
create unique index till_waiting on till_sale (partner_id, holder_id) where state = 'requested';
create index till_sale_requested on till_sale (holder_id) where state = 'requested';
create index till_sale_open on till_sale (partner_id) where closing is null and paid_at is not null;
-- What a company is owed for the month that runs is summed for its home.
create index till_sale_paid on till_sale (partner_id, paid_at) where paid_at is not null;
create index till_sale_settling on till_sale (paid_at) where points_earned is null and state = 'paid';
-- Small sales by the code of a card, counted by day once the threshold asks.
create index till_sale_by_code on till_sale (holder_id, paid_at) where code_from is not null;
-- The sales of a counter by who charged: filtered by one of them, and the list of them.
create index till_sale_cashier on till_sale (partner_id, cashier_id, requested_at desc, id);

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
create index till_return_at on till_return (at);

create table till_closing (
  partner_id uuid not null references partner (id),
  number integer not null,
  from_at timestamptz,
  until_at timestamptz not null,
  closed_by bigint not null references person (id),
  -- By cashier.
  totals jsonb not null,
  -- By wallet, and who the shop was.
  means jsonb,
  shop jsonb,
  primary key (partner_id, number)
);

-- Charges that a till made without network: what the device said, and the sale that it became or why no
-- wallet paid it. A row never changes: what is told about a charge stays.
create table till_offline (
  id uuid primary key,
  partner_id uuid not null references partner (id),
  -- Of whoever sent it; null for somebody who acts for no company any more.
  company_id uuid references company (id),
  cashier_id bigint not null references person (id),
  holder_id bigint references person (id),
  cardnumber bigint references card (number),
  amount_cents integer not null constraint till_offline_amount check (amount_cents > 0),
  label text,
  sold_at timestamptz not null,
  received_at timestamptz not null,
  sale_id uuid unique references till_sale (id),
  conflict text constraint till_offline_conflict check (
    conflict in ('funds', 'card', 'limit', 'own', 'code', 'code_used', 'cap_charge', 'cap_till', 'cap_holder',
      'late', 'counter', 'unanswered', 'withdrawn')),
  -- Why its cashier took it off the device before it was sent: kept, never debited.
  withdrawn_why text,
  constraint till_offline_outcome check ((sale_id is null) <> (conflict is null)),
  constraint till_offline_withdrawn check (
    (conflict is not distinct from 'withdrawn') = (withdrawn_why is not null))
);
create index till_offline_waited on till_offline (cashier_id, partner_id, sold_at);
create index till_offline_lost on till_offline (company_id, received_at desc, id desc)
  where conflict is not null;
create index till_offline_lost_by on till_offline (cashier_id, received_at desc, id desc)
  where conflict is not null;
create index till_offline_holder on till_offline (holder_id);

-- Points of a person at one company, by their last day: an account of the ledger in the asset PTS.
create table point_lot (
  account_id bigint primary key references ledger_account (id),
  person_id bigint not null references person (id),
  company_id uuid not null references company (id),
  expires_on date not null,
  -- When the holder was told that they end soon.
  warned_at timestamptz,
  -- Since when the account was emptied for good.
  expired_at timestamptz,
  constraint point_lot_of unique (person_id, company_id, expires_on)
);
create index point_lot_due on point_lot (expires_on) where expired_at is null;
create index point_lot_ending on point_lot (expires_on) where warned_at is null and expired_at is null;
