-- What a person was told about their meals once for all: `about` names what it was told of.
create table meal_notice (
  person_id bigint not null references person (id),
  about text not null,
  told_at timestamptz not null,
  primary key (person_id, about)
);
