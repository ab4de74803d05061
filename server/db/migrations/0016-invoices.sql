-- Invoices of the scheme to companies. A document that has its number never changes: its row is
-- appended with everything that it says, a credit note corrects it, and what is paid stands beside it.

-- The last number of a series in a year. The transaction that issues locks the row: numbers have no gap.
create table invoice_counter (
  series text not null,
  year smallint not null,
  last integer not null,
  -- The date of the last one: a later number never bears an earlier date.
  last_on date,
  primary key (series, year)
);

create table invoice (
  id uuid primary key default gen_random_uuid(),
  -- The order of issue, by which lists are paged; not the number.
  place bigint generated always as identity unique,
  company_id uuid not null references company (id),
  kind text not null constraint invoice_kind check (kind in ('invoice', 'credit_note')),
  series text not null,
  year smallint not null,
  sequence integer not null,
  number text not null unique,
  -- What a transfer quotes (ISO 11649).
  reference text not null unique,
  corrects_id uuid references invoice (id),
  subject_kind text not null constraint invoice_subject
    check (subject_kind in ('card_order', 'commission', 'commuting', 'other')),
  subject_id text not null,
  issued_on date not null,
  due_on date not null constraint invoice_due_on check (due_on >= issued_on),
  -- Without VAT, allowances taken off.
  net_cents bigint not null constraint invoice_net check (net_cents >= 0),
  vat_cents bigint not null constraint invoice_vat check (vat_cents >= 0),
  total_cents bigint not null constraint invoice_total check (total_cents = net_cents + vat_cents),
  prepaid_cents bigint not null,
  due_cents bigint not null constraint invoice_due
    check (prepaid_cents >= 0 and due_cents >= 0 and due_cents = total_cents - prepaid_cents),
  -- Parties, lines, VAT by rate and mentions, as they stand on the document.
  content jsonb not null,
  issued_at timestamptz not null,
  constraint invoice_number unique (series, year, sequence),
  -- One document of a kind for each thing that is invoiced.
  constraint invoice_once unique (subject_kind, subject_id, kind),
  constraint invoice_corrects check ((kind = 'credit_note') = (corrects_id is not null))
);
create index invoice_of_company on invoice (company_id, place desc);
create index invoice_corrected on invoice (corrects_id) where corrects_id is not null;

-- How far a document is settled and taken back: one row each, locked by whoever settles or credits it.
create table invoice_balance (
  invoice_id uuid primary key references invoice (id),
  due_cents bigint not null,
  total_cents bigint not null,
  settled_cents bigint not null default 0
    constraint invoice_settled check (settled_cents between 0 and due_cents),
  credited_cents bigint not null default 0
    constraint invoice_credited check (credited_cents between 0 and total_cents)
);
create index invoice_open on invoice_balance (invoice_id) where settled_cents < due_cents;

create table invoice_payment (
  id bigint generated always as identity primary key,
  invoice_id uuid not null references invoice (id),
  amount_cents bigint not null constraint invoice_payment_amount check (amount_cents > 0),
  means text not null constraint invoice_payment_means
    check (means in ('checkout', 'transfer', 'netting', 'credit')),
  -- Of the transfer at the bank, the payout, the payment, the credit note.
  reference text not null,
  at timestamptz not null,
  constraint invoice_payment_once unique (invoice_id, means, reference)
);

-- Life-cycle states of the electronic invoice, as the platform tells them (AFNOR XP Z12-012).
create table invoice_event (
  id bigint generated always as identity primary key,
  invoice_id uuid not null references invoice (id),
  code smallint not null constraint invoice_event_code check (code between 200 and 299),
  at timestamptz not null,
  reason text,
  noted_by text not null,
  noted_at timestamptz not null,
  constraint invoice_event_once unique (invoice_id, code, at)
);

-- What the operator prepares: without a number, and changed at will until it is issued.
create table invoice_draft (
  id bigint generated always as identity primary key,
  company_id uuid not null references company (id),
  content jsonb not null,
  written_by text not null,
  written_at timestamptz not null,
  issued_id uuid references invoice (id)
);

create function invoice_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'an issued document never changes: % on % refused', tg_op, tg_table_name
    using errcode = 'restrict_violation';
end $$;
create trigger invoice_append_only before update or delete or truncate on invoice
  for each statement execute function invoice_is_append_only();
create trigger invoice_payment_append_only before update or delete or truncate on invoice_payment
  for each statement execute function invoice_is_append_only();
create trigger invoice_event_append_only before update or delete or truncate on invoice_event
  for each statement execute function invoice_is_append_only();
