-- Batches of cards that were printed together.

create table card_batch (
  number bigint generated always as identity primary key,
  operator text not null,
  made_at timestamptz not null
);

alter table card add column batch_number bigint references card_batch (number);
create index card_of_batch on card (batch_number) where batch_number is not null;
