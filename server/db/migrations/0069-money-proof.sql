-- What a proof given in a session opens for the payments that follow: until when, and how many cents are left of it.
alter table session
  add column money_until timestamptz,
  add column money_cents integer not null default 0;

-- Small sales by the code of a card, counted by day once the threshold asks.
create index till_sale_by_code on till_sale (holder_id, paid_at) where code_from is not null;
