-- Health data, by consent and sealed.

create table health_record (
  person_id bigint primary key references person (id),
  -- AES-256-GCM, bound to the person: the table alone says nothing.
  sealed bytea not null,
  consented_by bigint not null references person (id),
  consented_at timestamptz not null,
  updated_at timestamptz not null
);
