-- Points given for each euro paid, beside the discount and the commission.
alter table partner_terms add column points_per_euro smallint not null default 0
  constraint partner_terms_points check (points_per_euro between 0 and 20);

-- Points of a person at one company, by their last day: an account of the ledger in the asset PTS.
create table point_lot (
  account_id bigint primary key references ledger_account (id),
  person_id bigint not null references person (id),
  company_id uuid not null references company (id),
  expires_on date not null,
  -- Since when the account was emptied for good.
  expired_at timestamptz,
  constraint point_lot_of unique (person_id, company_id, expires_on)
);
create index point_lot_due on point_lot (expires_on) where expired_at is null;

-- The rate of the sale's day, the points that its discount took (they are part of discount_cents), and
-- those it gave: null until they settle.
alter table till_sale
  add column points_per_euro smallint not null default 0,
  add column points_used integer not null default 0
    constraint till_sale_points_used check (points_used between 0 and discount_cents),
  add column points_earned integer default 0
    constraint till_sale_points_earned check (points_earned >= 0);
create index till_sale_settling on till_sale (paid_at) where points_earned is null and state = 'paid';

-- What partners owe in points: the other side of every point that somebody has.
with opened as (
  insert into ledger_account (kind, asset, floor) values ('scheme:points', 'PTS', null) returning id)
insert into scheme_account (name, account_id) select 'points', id from opened;
