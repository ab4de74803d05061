-- Favourite stops of a person, and departures that are found by stop, line and direction: the next three
-- of each are read from the index, however many buses a stop has.

create table favourite_stop (
  person_id bigint not null references person (id),
  stop_id integer not null references transit_stop (id),
  -- As it was called when it was chosen: what an export shows.
  name text not null,
  at timestamptz not null,
  primary key (person_id, stop_id)
);
create index favourite_stop_of_stop on favourite_stop (stop_id);

alter table transit_departure add column line_id integer, add column direction smallint;
update transit_departure d set line_id = t.line_id, direction = t.direction
  from transit_trip t where t.feed_id = d.feed_id and t.id = d.trip_id;
alter table transit_departure alter column line_id set not null,
  alter column direction set not null;
drop index transit_departure_at;
create index transit_departure_at
  on transit_departure (feed_id, stop_id, line_id, direction, departs);
