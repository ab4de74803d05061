-- A meal handed at the counter without an order takes a seat too; one beyond the last seat is counted as an
-- extra one of that day, so that no family orders in its place.
alter table canteen_day
  add column extra integer not null default 0,
  add constraint canteen_day_extra check (extra >= 0),
  drop constraint meals_full,
  add constraint meals_full check (taken <= seats + extra);
