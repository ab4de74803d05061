-- What was paid through the checkout, as its buyer reads it again: the end of a purchase and its receipt. The ledger
-- says where money is; this says what one payment was made of. `number` is what people read aloud.
create table purchase (
  number bigint generated always as identity primary key,
  order_id uuid not null unique,
  kind text not null,
  buyer_id bigint not null references person (id),
  label text not null,
  total_cents bigint not null check (total_cents >= 0),
  -- Money of meals waits in the wallet until they are served.
  held boolean not null,
  -- [{wallet, aid, amountCents}], in the order in which they paid.
  paid_with jsonb not null,
  card_cents bigint not null check (card_cents >= 0),
  paid_at timestamptz not null
);
create index purchase_of on purchase (buyer_id, number);
