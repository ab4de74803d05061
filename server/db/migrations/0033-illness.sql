-- A sick child: what an announced illness does to each meal, and the certificate that a canteen may ask.

alter table meal_illness
  -- A file is attached to the illness as documents are, by its kind and id.
  drop column document_id,
  add column state text not null default 'announced',
  -- Days of the canteen's own days at the family's charge that a continuation of it still has.
  add column paid_days_left smallint not null default 0,
  -- Until when the certificate may be sent; null where none is asked.
  add column certificate_until timestamptz,
  add column sent_at timestamptz,
  add column answered_at timestamptz,
  -- Why the certificate was refused: the family reads it.
  add column reason text,
  add constraint meal_illness_state check (state in
    ('announced', 'awaited', 'sent', 'refused', 'accepted', 'unproven', 'withdrawn')),
  add constraint meal_illness_paid_days check (paid_days_left between 0 and 5);
create index meal_illness_open on meal_illness (state)
  where state in ('awaited', 'sent', 'refused');

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
-- Meals whose money waits for the end of their day or for a certificate.
create index meal_order_unsettled on meal_order (on_day)
  where state = 'cancelled' and charged_cents is null;
