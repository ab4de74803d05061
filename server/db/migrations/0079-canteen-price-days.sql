-- A price holds for meals of some days: a change of prices ends one on the day before the next begins.
alter table canteen_price
  add column from_on date,
  add column until_on date,
  add constraint canteen_price_days check (from_on <= until_on);
