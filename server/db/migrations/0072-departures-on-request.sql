-- A departure that runs only when somebody asked for it before: GTFS pickup_type 2 and 3.
alter table transit_departure add column on_request boolean not null default false;
