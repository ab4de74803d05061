-- Top-ups, what providers told about them, and the sandbox provider's own books.

create table top_up (
  id uuid primary key,
  wallet_id bigint not null references wallet (id),
  person_id bigint not null references person (id),
  amount_cents bigint not null constraint top_up_positive check (amount_cents > 0),
  state text not null constraint top_up_state check (state in (
    'initiated', 'authorized', 'credited', 'declined', 'review', 'refunded', 'disputed')),
  provider text not null,
  provider_ref text,
  idempotency_key text,
  reason text,
  payment_url text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  credited_at timestamptz,
  -- when the provider was last asked about it
  asked_at timestamptz,
  constraint top_up_key unique (person_id, idempotency_key),
  constraint top_up_charge unique (provider, provider_ref)
);
create index top_up_of_wallet on top_up (wallet_id, created_at);
create index top_up_waiting on top_up (created_at) where state in ('initiated', 'authorized');

create table payment_event (
  provider text not null,
  event_id text not null,
  top_up_id uuid,
  type text not null,
  payload jsonb not null,
  received_at timestamptz not null,
  outcome text not null,
  primary key (provider, event_id)
);
create index payment_event_of_top_up on payment_event (top_up_id);
create index payment_event_parked on payment_event (received_at) where outcome = 'parked';

create table sandbox_charge (
  id uuid primary key,
  reference text not null,
  amount_cents bigint not null,
  return_url text not null,
  state text not null constraint sandbox_charge_state check (state in (
    'open', 'pending', 'succeeded', 'declined', 'disputed')),
  outcome text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index sandbox_charge_reference on sandbox_charge (reference);

-- What the sandbox has to tell, each until it was heard once.
create table sandbox_event (
  id uuid primary key,
  charge_id uuid not null references sandbox_charge (id),
  type text not null constraint sandbox_event_type check (type in (
    'charge.authorized', 'charge.succeeded', 'charge.declined', 'charge.refunded',
    'charge.disputed')),
  -- How often it is sent: a provider may tell the same thing several times.
  copies smallint not null default 1,
  due_at timestamptz not null,
  delivered_at timestamptz
);
create index sandbox_event_due on sandbox_event (due_at) where delivered_at is null;
