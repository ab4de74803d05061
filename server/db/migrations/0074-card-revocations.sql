-- When the codes that a card had made went bad, by a suspension or an opposition: they stay bad once it is resumed.
create table card_revocation (
  object_id uuid not null,
  at timestamptz not null,
  constraint card_revocation_pkey primary key (object_id, at)
);
create index card_revocation_at on card_revocation (at);
