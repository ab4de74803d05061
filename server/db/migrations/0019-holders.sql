-- Holders that the operator's files brought in, under the reference that the file gives each.

create table holder_reference (
  reference text primary key
    constraint holder_reference_form check (reference ~ '^[A-Za-z0-9][A-Za-z0-9._/-]{0,39}$'),
  person_id bigint not null unique references person (id),
  at timestamptz not null
);
