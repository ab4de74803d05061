-- The picture of a person, drawn anew and small. Its id is its version: another picture, another id.
create table avatar (
  person_id bigint primary key references person (id),
  id uuid not null unique default gen_random_uuid(),
  content bytea not null,
  at timestamptz not null
);
