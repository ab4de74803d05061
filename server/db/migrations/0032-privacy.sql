-- Exports of everything about a person; accounts that close.

create table data_export (
  id uuid primary key default gen_random_uuid(),
  person_id bigint not null references person (id),
  requested_by bigint not null references person (id),
  requested_at timestamptz not null,
  ready_at timestamptz,
  expires_at timestamptz,
  bytes bigint,
  constraint data_export_whole check ((ready_at is null) = (bytes is null))
);
-- One at a time for a person; the name is the refusal.
create unique index export_waiting on data_export (person_id) where ready_at is null;
create index data_export_requested on data_export (requested_by, requested_at);

-- Its zip in pieces, written and read one at a time: no process holds a whole one.
create table data_export_part (
  export_id uuid not null references data_export (id) on delete cascade,
  number int not null,
  bytes bytea not null,
  primary key (export_id, number)
);

create table closure (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  person_id bigint not null references person (id),
  requested_by bigint not null references person (id),
  requested_at timestamptz not null,
  closes_on date not null,
  state text not null default 'requested' constraint closure_state
    check (state in ('requested', 'cancelled', 'closed')),
  answered_at timestamptz,
  beneficiary text,
  iban_sealed bytea,
  iban_end text,
  refund_cents bigint,
  paid_at timestamptz,
  paid_reference text,
  constraint closure_iban check ((iban_sealed is null) = (iban_end is null) or paid_at is not null)
);
create unique index closure_requested on closure (person_id) where state = 'requested';
create index closure_due on closure (closes_on) where state = 'requested';
