-- Documents: uploaded files, kept as bytes beside what they belong to.

create table document (
  id uuid primary key default gen_random_uuid(),
  -- Who uploaded it.
  person_id bigint not null references person (id),
  name text not null constraint document_name check (char_length(name) between 1 and 120),
  type text not null constraint document_media
    check (type in ('image/jpeg', 'image/png', 'application/pdf')),
  bytes integer not null constraint document_bytes check (bytes = octet_length(content)),
  content bytea not null,
  -- Of the file as it came: the same one sent again is the same document.
  sha256 bytea not null,
  at timestamptz not null,
  -- What it is attached to; both null while it is loose.
  attached_kind text,
  attached_id text,
  attached_at timestamptz,
  -- Order among those of one thing.
  place integer not null default 0,
  constraint document_attachment check ((attached_kind is null) = (attached_id is null)
    and (attached_kind is null) = (attached_at is null))
);
-- Images and PDFs do not shrink: trying would only cost.
alter table document alter column content set storage external;
create unique index document_loose on document (person_id, sha256) where attached_kind is null;
create index document_expiring on document (at) where attached_kind is null;
create index document_of on document (attached_kind, attached_id) where attached_kind is not null;
-- What a person's files take together is summed before another is kept.
create index document_person on document (person_id) include (bytes);

-- The picture of a person, drawn anew and small. Its id is its version: another picture, another id.
create table avatar (
  person_id bigint primary key references person (id),
  id uuid not null unique default gen_random_uuid(),
  content bytea not null,
  at timestamptz not null
);
