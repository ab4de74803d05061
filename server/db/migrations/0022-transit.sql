-- The bus network, from GTFS feeds. Lines and stops keep their id from one feed to the next (a pass
-- names them); trips, days of service and departures belong to one feed and go with it.

create table transit_feed (
  id integer generated always as identity primary key,
  file text not null,
  -- Days that its calendars speak of.
  first_on date not null,
  last_on date not null,
  -- The latest departure of a service day, in seconds: past 86,400 it runs after midnight.
  longest integer not null,
  counts jsonb not null,
  at timestamptz not null,
  current boolean not null default true
);
create unique index transit_feed_current on transit_feed (current) where current;

-- What each import did, the refused ones too, with the rows that it found wrong.
create table transit_import (
  id integer generated always as identity primary key,
  file text not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  -- Null when the feed was taken.
  refused text,
  report jsonb not null,
  operator text not null
);

-- The networks and agencies of the feeds, each an acceptance group.
create table transit_group (
  key text primary key,
  group_id integer not null unique references acceptance_group (id)
);

create table transit_line (
  id integer generated always as identity primary key,
  gtfs_id text not null unique,
  -- Null once a feed no longer has it.
  feed_id integer references transit_feed (id),
  group_id integer not null references acceptance_group (id),
  -- Order on the screen.
  place integer not null,
  number text not null,
  name text not null,
  mode text not null constraint transit_line_mode
    check (mode in ('bus', 'tram', 'metro', 'train', 'boat', 'other')),
  color text not null constraint transit_line_color check (color ~ '^[0-9a-f]{6}$'),
  text_color text not null constraint transit_line_text_color check (text_color ~ '^[0-9a-f]{6}$'),
  -- Its ends, as people name the line.
  from_name text not null default '',
  to_name text not null default '',
  -- What a search reads, without accents.
  letters text not null default ''
);
create index transit_line_of_feed on transit_line (feed_id, place);
create index transit_line_of_group on transit_line (group_id, place);

create table transit_stop (
  id integer generated always as identity primary key,
  gtfs_id text not null unique,
  feed_id integer references transit_feed (id),
  -- The stop that people know, for a quay or a pole of it.
  parent_id integer references transit_stop (id),
  name text not null,
  lat double precision,
  lon double precision,
  letters text not null,
  constraint transit_stop_position check (
    (lat is null) = (lon is null) and lat between -90 and 90 and lon between -180 and 180)
);
create index transit_stop_of_feed on transit_stop (feed_id) where parent_id is null;
create index transit_stop_letters on transit_stop using gin (letters gin_trgm_ops);
create index transit_stop_of_parent on transit_stop (parent_id);

create table transit_service (
  feed_id integer not null references transit_feed (id),
  id integer not null,
  first_on date,
  last_on date,
  -- One bit a day, Monday the lowest.
  weekdays smallint not null,
  primary key (feed_id, id)
);

create table transit_service_change (
  feed_id integer not null,
  service_id integer not null,
  on_day date not null,
  runs boolean not null,
  primary key (feed_id, on_day, service_id),
  foreign key (feed_id, service_id) references transit_service (feed_id, id)
);

-- Each direction of a line, with its usual trip.
create table transit_direction (
  feed_id integer not null references transit_feed (id),
  line_id integer not null references transit_line (id),
  direction smallint not null,
  head text not null,
  trips integer not null,
  -- Latitudes and longitudes in turn, simplified; null when the feed draws none.
  path real[],
  primary key (feed_id, line_id, direction)
);

create table transit_direction_stop (
  feed_id integer not null,
  line_id integer not null,
  direction smallint not null,
  place smallint not null,
  stop_id integer not null references transit_stop (id),
  -- The part of the trips of this way that stop there, in percent.
  share smallint not null,
  primary key (feed_id, line_id, direction, place)
);
create index transit_direction_stop_of_stop on transit_direction_stop (stop_id, feed_id);

create table transit_trip (
  feed_id integer not null references transit_feed (id),
  id integer not null,
  line_id integer not null,
  direction smallint not null,
  head text not null,
  primary key (feed_id, id)
);

-- Where one can board, and when: seconds since noon minus twelve hours of the service day (GTFS).
-- Millions of rows: no constraint but what the import proves before it writes.
create table transit_departure (
  feed_id integer not null,
  stop_id integer not null,
  line_id integer not null,
  departs integer not null,
  trip_id integer not null,
  service_id integer not null,
  direction smallint not null,
  -- It runs only when somebody asked for it before: GTFS pickup_type 2 and 3.
  on_request boolean not null default false
);
-- The next three departures of each line and direction are read from the index, however many buses a stop has.
create index transit_departure_at
  on transit_departure (feed_id, stop_id, line_id, direction, departs);

-- The services of a feed that run on a day.
create function transit_running(feed integer, on_date date) returns setof integer
language sql stable as $$
  select s.id from transit_service s
    left join transit_service_change c
      on c.feed_id = feed and c.service_id = s.id and c.on_day = on_date
    where s.feed_id = feed
      and coalesce(c.runs, on_date between s.first_on and s.last_on
        and s.weekdays & (1 << (extract(isodow from on_date)::int - 1)) <> 0)
$$;

-- The instant from which a service day counts its seconds: noon minus twelve hours, right on the two
-- days of the year that last 23 or 25 hours.
create function transit_midnight(on_date date) returns timestamptz language sql stable as $$
  select ((on_date + time '12:00') at time zone 'Europe/Paris') - interval '12 hours'
$$;

-- Public stops whose name is near the words, the longest word first: all of them must be found, whole,
-- begun or alike by their letters.
create function transit_stops_like(words text[], max_count integer)
returns table (id integer, score real)
language sql stable set pg_trgm.word_similarity_threshold = 0.4 as $$
  select s.id, near.score::real
    from transit_stop s, lateral (
      select avg(alike) as score, min(alike) as least from (
        select case when position(' ' || w in ' ' || s.letters) > 0 then 1
          else word_similarity(w, s.letters) * 0.9 end as alike
        from unnest(words) w) each_word) near
    where s.feed_id is not null and s.parent_id is null
      and words[1] <% s.letters and near.least >= 0.36
    order by near.score desc, length(s.letters), s.name, s.id limit max_count
$$;

-- Favourite stops of a person.
create table favourite_stop (
  person_id bigint not null references person (id),
  stop_id integer not null references transit_stop (id),
  -- As it was called when it was chosen: what an export shows.
  name text not null,
  at timestamptz not null,
  primary key (person_id, stop_id)
);
create index favourite_stop_of_stop on favourite_stop (stop_id);
