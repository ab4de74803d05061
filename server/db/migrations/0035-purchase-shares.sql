-- What part of a year's purchases a canteen's provider declares sustainable, and organic within it: whole
-- percent of their value, as the law EGalim counts.
create table canteen_purchase_share (
  provider_id integer not null references canteen_provider (id),
  year smallint not null constraint canteen_purchase_share_year check (year between 2019 and 2199),
  sustainable smallint not null
    constraint canteen_purchase_share_sustainable check (sustainable between 0 and 100),
  organic smallint not null
    constraint canteen_purchase_share_organic check (organic between 0 and sustainable),
  written_at timestamptz not null,
  primary key (provider_id, year)
);
