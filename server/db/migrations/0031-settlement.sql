-- What is owed to companies: lines collected from the journal month by month, the settlement of each
-- company and month, what is paid out of it, and the bank's answers.

-- Where what a company is owed lies until it is paid out.
create table settlement_account (
  company_id uuid primary key references company (id),
  account_id bigint not null unique
);

-- A month that is being closed, or is.
create table settlement_month (
  month text primary key constraint settlement_month_form check (month ~ '^20\d\d-(0[1-9]|1[0-2])$'),
  started_at timestamptz not null,
  -- Every line of it is collected.
  collected_at timestamptz,
  -- Every company of it is settled.
  closed_at timestamptz,
  closed_by text not null,
  constraint settlement_month_order check (closed_at is null or collected_at is not null)
);

-- How far the journal of an account was read for a month: transfers up to here are all collected.
create table settlement_mark (
  month text not null references settlement_month (month),
  account_id bigint not null,
  transfer_id bigint not null,
  primary key (month, account_id)
);

-- One line for each thing that a company is owed for, or owes back: a group of transfers by its key, or a
-- ticket by its id. It is collected once for ever.
create table settlement_line (
  source text not null constraint settlement_line_source check (source in ('till', 'meal', 'ticket', 'pass')),
  key text not null,
  company_id uuid not null references company (id),
  month text not null references settlement_month (month),
  kind text not null constraint settlement_line_kind check (kind in ('sale', 'return', 'correction')),
  -- When it became due.
  at timestamptz not null,
  label text not null,
  -- Negative for what went back.
  gross_cents bigint not null,
  commission_basis_points integer not null
    constraint settlement_line_rate check (commission_basis_points between 0 and 10000),
  commission_cents bigint not null,
  primary key (source, key)
);
create index settlement_line_of on settlement_line (company_id, month, at, source, key);

create table settlement (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references company (id),
  month text not null references settlement_month (month),
  -- What lay on the company's account before this closing.
  opening_cents bigint not null,
  gross_cents bigint not null,
  -- Without VAT.
  commission_cents bigint not null,
  vat_cents bigint not null,
  lines integer not null,
  invoice_id uuid,
  invoice_number text,
  closed_at timestamptz not null,
  constraint settlement_once unique (company_id, month)
);

create table payout_batch (
  number integer primary key,
  made_at timestamptz not null,
  made_by text not null,
  execute_on date not null,
  -- The account that pays, as it was.
  debtor jsonb not null
);

create table payout (
  id uuid primary key default gen_random_uuid(),
  batch integer not null references payout_batch (number),
  place integer not null,
  company_id uuid not null references company (id),
  -- The last settled month of the company when it was made: the statement that shows it.
  month text not null,
  amount_cents bigint not null constraint payout_amount check (amount_cents > 0),
  -- The account that is paid, as it was: {iban, bic, holderName, street, postcode, town}.
  creditor jsonb not null,
  state text not null default 'sent' constraint payout_state check (state in ('sent', 'accepted', 'rejected')),
  reason text,
  answered_at timestamptz,
  -- The last settled month when the bank refused it: the statement in which it is owed again.
  returned_month text,
  foreign key (company_id, month) references settlement (company_id, month),
  foreign key (company_id, returned_month) references settlement (company_id, month),
  constraint payout_once unique (batch, place),
  constraint payout_of_batch unique (batch, company_id),
  constraint payout_returned check ((state = 'rejected') = (returned_month is not null))
);
create index payout_of on payout (company_id, month);
