-- Charges that a till made without network: what the device said, and the sale that it became or why no
-- wallet paid it. A row never changes: what is told about a charge stays.
alter table till_sale add column offline boolean not null default false;
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
    conflict in ('funds', 'card', 'limit', 'own', 'code', 'code_used', 'cap_charge', 'cap_till', 'late',
      'counter', 'unanswered')),
  constraint till_offline_outcome check ((sale_id is null) <> (conflict is null))
);
create index till_offline_waited on till_offline (cashier_id, partner_id, sold_at);
create index till_offline_lost on till_offline (company_id, received_at desc, id desc)
  where conflict is not null;
create index till_offline_lost_by on till_offline (cashier_id, received_at desc, id desc)
  where conflict is not null;
create index till_offline_holder on till_offline (holder_id);
